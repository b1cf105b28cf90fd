#!/usr/bin/env node
import { takeSecretFiles } from '../platform/config-files.js';
import { run } from './program.js';

/** `rx <command>`: the command line for operators. */
try {
  takeSecretFiles(process.env);
  run();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
