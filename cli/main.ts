#!/usr/bin/env node
import { run } from './program.js';

/** `rx <command>`: the command line for operators. */
run();
