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

const rules = { ...shared, globalSetup: '<rootDir>/tests/helpers/rules-setup.mjs' };

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

/** `npm run faults` sets it: every case of every matrix, the files of the folders `long`, what a browser sees, and the build installed anew. */
const isFull = process.env.FAULTS === 'full';

/**
 * Rules, which need no running system (its set-up bundles the workflows and finds the time-skipping server), parts,
 * whose set-up starts the whole system once for all of them, and faults, whose files each start a system to do harm
 * to. What takes long comes with `npm run faults`: more faults, long waits and queues, the browser and the build.
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
      displayName: 'rules',
      testMatch: tests('domain', 'workflows', 'replay', 'platform', 'dev', 'sandbox', 'clients'),
      testPathIgnorePatterns: ['/long/'],
    },
    ...(isFull ? [{ ...rules, displayName: 'long', testMatch: tests('workflows/long') }] : []),
    // What takes a quarter of an hour or needs a machine of its own, by name only: FAULTS=full npm test -- --selectProjects slow
    ...(isFull ? [{ ...shared, displayName: 'slow', testMatch: tests('slow') }] : []),
    {
      ...parts,
      displayName: 'parts',
      testMatch: tests('api', 'starts', 'activities', 'workers', 'cli', ...(isFull ? [] : ['models'])),
    },
    ...(isFull
      ? [
          // With more stories than in every run of the tests.
          { ...parts, displayName: 'models', testMatch: tests('models') },
          ...(await browserProject()),
          { ...parts, displayName: 'build', testMatch: tests('build') },
        ]
      : []),
    {
      ...shared,
      displayName: 'faults',
      testMatch: isFull ? tests('faults') : ['<rootDir>/tests/faults/*.test.ts'],
    },
  ],
};
