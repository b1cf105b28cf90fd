import { rx, run } from '../cli/program.js';
import { addDemoCommand } from './demo/command.js';

/** `npm run rx -- <command>`: the command line for a running system, with the demonstrations of a development system. */
addDemoCommand(rx);
run();
