import { tsImport } from 'tsx/esm/api';

const shared = {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        sourceMaps: 'inline',
        module: { type: 'es6' },
        jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
      },
    ],
  },
};
const tests = (...rooms) => rooms.map((room) => `<rootDir>/tests/${room}/**/*.test.ts`);

const rules = {
  ...shared,
  globalSetup: '<rootDir>/tests/helpers/rules-setup.mjs',
  testEnvironment: '<rootDir>/tests/helpers/workflow-environment.mjs',
};

const parts = {
  ...shared,
  // One module for both projects that need the system, so Jest starts it once for them.
  globalSetup: '<rootDir>/tests/helpers/parts-setup.mjs',
  globalTeardown: '<rootDir>/tests/helpers/parts-teardown.mjs',
};

/** The browser tests need a Chromium; where there is none they are left out, and a line says so. */
async function browserProject() {
  const { chromiumAdvice, findChromium } = await tsImport('./dev/tools/chromium.ts', import.meta.url);
  if ((await findChromium()) === undefined) {
    process.stderr.write(`No Chromium, so the browser tests are left out: ${chromiumAdvice}\n`);
    return [];
  }
  return [{ ...parts, displayName: 'browser', testMatch: tests('browser') }];
}

/** `npm run faults` and `npm run evidence` set it: slow tests, tests of development, random tests. */
const isFull = process.env.FAULTS === 'full';
const notLong = { testPathIgnorePatterns: ['/long/'] };

/**
 * `rules` need no system: their setup bundles the workflows and finds the time-skipping server. The setup of `parts` starts
 * one system for all of them. Each file of `faults` starts a system to break. `npm run faults` adds the folders `long`, the
 * tests of development and of the command line, model checks, the browser, and the build in an empty folder.
 */
export default {
  // More than there are cores: the files of the faults begin at once, and mostly wait for what was killed to be noticed.
  maxWorkers: 6,
  testSequencer: '<rootDir>/tests/helpers/order.mjs',
  // For what never comes. A busy machine takes many times what an idle one does, and no test is about speed.
  testTimeout: 240_000,
  projects: [
    {
      ...rules,
      ...notLong,
      displayName: 'rules',
      testMatch: tests('domain', 'workflows', 'replay', 'platform', 'clients'),
    },
    {
      ...parts,
      ...notLong,
      displayName: 'parts',
      testMatch: tests('api', 'activities', 'workers'),
    },
    {
      ...shared,
      displayName: 'faults',
      testMatch: [
        ...(isFull ? tests('faults') : ['<rootDir>/tests/faults/*.test.ts']),
        ...tests('db'),
        '<rootDir>/evidence/campaign/*.test.ts',
      ],
    },
    ...(isFull
      ? [
          { ...rules, displayName: 'long-rules', testMatch: tests('workflows/long', 'dev', 'sandbox') },
          {
            ...parts,
            displayName: 'long-parts',
            testMatch: tests('{api,activities,workers}/**/long', 'starts', 'cli', 'models'),
          },
          ...(await browserProject()),
          { ...parts, displayName: 'build', testMatch: tests('build') },
          // Run by `npm run evidence` only: each takes a quarter of an hour, or needs root.
          {
            ...shared,
            displayName: 'evidence',
            testMatch: ['<rootDir>/evidence/*/*.test.ts'],
            testPathIgnorePatterns: ['<rootDir>/evidence/campaign/'],
          },
        ]
      : []),
  ],
};
