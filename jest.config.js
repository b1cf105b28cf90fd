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

/**
 * Three projects: rules, which need no running system (its set-up bundles the workflows and finds the time-skipping
 * server), parts, whose set-up starts the whole system once for all of them, and browser, which looks at that system
 * through a real browser.
 */
export default {
  // One more than there are cores usually: much of the time is spent waiting for what was killed to be noticed.
  maxWorkers: 4,
  testTimeout: 60_000,
  projects: [
    {
      ...shared,
      displayName: 'rules',
      testMatch: tests('domain', 'workflows', 'replay', 'platform', 'dev', 'sandbox'),
      globalSetup: '<rootDir>/tests/helpers/rules-setup.mjs',
    },
    {
      ...parts,
      displayName: 'parts',
      testMatch: tests('api', 'activities', 'workers', 'cli', 'faults', 'build'),
    },
    ...(await browserProject()),
  ],
};
