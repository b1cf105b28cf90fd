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
  setupFilesAfterEnv: ['<rootDir>/tests/helpers/note-answers.ts'],
  // Both projects that need the system share this module, so Jest starts it once.
  globalSetup: '<rootDir>/tests/helpers/parts-setup.mjs',
  globalTeardown: '<rootDir>/tests/helpers/parts-teardown.mjs',
};

/** The browser tests need a Chromium. Without one, Jest prints a line and skips them. */
async function browserProject() {
  const { chromiumAdvice, findChromium } = await tsImport('./dev/tools/chromium.ts', import.meta.url);
  if ((await findChromium()) === undefined) {
    process.stderr.write(`No Chromium, so Jest skips the browser tests: ${chromiumAdvice}\n`);
    return [];
  }
  return [{ ...parts, displayName: 'browser', testMatch: tests('browser') }];
}

/** `npm run faults` and `npm run evidence` set it to add slow, development and random tests. */
const isFull = process.env.FAULTS === 'full';
const notLong = { testPathIgnorePatterns: ['/long/'] };

/**
 * `rules` need no system, and include the tests of the contracts of the APIs. Their setup bundles the workflows and finds the time-skipping server. The setup of `parts` starts
 * one shared system. Each file of `faults` starts its own and breaks it. `npm run faults` adds the folders `long`, tests of
 * development and the command line, model checks, the browser, and the build in an empty folder.
 */
export default {
  // More workers than cores, because fault tests mostly wait for restarts.
  maxWorkers: 6,
  testSequencer: '<rootDir>/tests/helpers/order.mjs',
  // Only bounds a hang: a busy machine is many times slower, and no test measures speed.
  testTimeout: 480_000,
  projects: [
    {
      ...rules,
      ...notLong,
      displayName: 'rules',
      testMatch: [
        ...tests('domain', 'workflows', 'replay', 'platform', 'clients'),
        '<rootDir>/tests/api/*/contract.test.ts',
        '<rootDir>/evidence/bench/*.test.ts',
      ],
    },
    {
      ...parts,
      testPathIgnorePatterns: ['/long/', '/contract\\.test\\.ts$'],
      displayName: 'parts',
      testMatch: tests('api', 'activities', 'workers'),
    },
    {
      ...shared,
      displayName: 'faults',
      testMatch: [
        ...(isFull
          ? [...tests('faults'), '<rootDir>/evidence/campaign/*.test.ts']
          : ['<rootDir>/tests/faults/*.test.ts']),
        ...tests('db'),
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
          // Only `npm run evidence` runs these: they take up to an hour, or need root.
          {
            ...shared,
            displayName: 'evidence',
            testMatch: ['<rootDir>/evidence/*/*.test.ts'],
            testPathIgnorePatterns: ['<rootDir>/evidence/(campaign|bench)/'],
          },
        ]
      : []),
  ],
};
