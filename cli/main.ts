import { run } from './program.js';

/** `rx <command>`: the command line for operators. */
run();
