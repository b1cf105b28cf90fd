#!/usr/bin/env node
import { takeSecretFiles } from '../platform/config-files.js';
import { run } from './program.js';

/** `rx <command>`: the command line for operators. */
takeSecretFiles();
run();
