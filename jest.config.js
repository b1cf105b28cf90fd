/** One Jest project; `tests/helpers/global-setup.mjs` bundles the workflows once and starts the shared system. */
export default {
  testEnvironment: 'node',
  testMatch: ['<rootDir>/tests/**/*.test.ts'],
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
  maxWorkers: 2,
  testTimeout: 60_000,
};
