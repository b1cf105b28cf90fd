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

/**
 * Two projects: rules, which need no running system (its set-up bundles the workflows and finds the time-skipping
 * server), and parts, whose set-up starts the whole system once for all of them.
 */
export default {
  maxWorkers: 2,
  testTimeout: 60_000,
  projects: [
    {
      ...shared,
      displayName: 'rules',
      testMatch: tests('domain', 'workflows', 'replay', 'platform', 'cli', 'sandbox'),
      globalSetup: '<rootDir>/tests/helpers/rules-setup.mjs',
    },
    {
      ...shared,
      displayName: 'parts',
      testMatch: tests('services', 'faults', 'browser'),
      globalSetup: '<rootDir>/tests/helpers/parts-setup.mjs',
      globalTeardown: '<rootDir>/tests/helpers/parts-teardown.mjs',
    },
  ],
};
