import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

/** Only starts/ uses values of the Temporal client; other folders pass a `Client` on and need its type. */
const temporalClient = {
  group: ['@temporalio/client'],
  allowTypeImports: true,
  message: 'Start, query and signal workflows through starts/.',
};
const member = (object, property) =>
  `MemberExpression:matches([object.name=/^(${object})$/], [object.property.name=/^(${object})$/])[property.name=/^(${property})$/]`;
const temporalCalls = {
  selector: [
    member('temporal|client', 'workflow|schedule|workflowService|connection'),
    'MemberExpression[property.name="withDeadline"]',
  ].join(', '),
  message: temporalClient.message,
};

/** Imports that code replayed by Temporal must not have, because it must be deterministic and free of I/O. */
const workflowSandbox = {
  patterns: [
    {
      group: ['node:*', 'zod', 'pino', 'postgres', 'undici', 'stripe', 'fastify'],
      message: 'Workflow code has no I/O.',
    },
    { group: ['**/activities/**'], allowTypeImports: true, message: 'Activities are types only here.' },
    temporalClient,
  ],
};

export default tseslint.config(
  {
    ignores: ['dist', 'node_modules', '.local', 'coverage', 'clients/typescript/src/pages', '**/dist'],
  },
  ...tseslint.configs.strictTypeChecked,
  ...tseslint.configs.stylisticTypeChecked,
  {
    // A regular expression on external text must run in linear time (D95).
    plugins: { regexp },
    ignores: ['tests/**', 'evidence/**'],
    rules: {
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': [
        'error',
        { report: 'potential', ignorePartial: false, ignoreSticky: false },
      ],
    },
  },
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/consistent-type-definitions': 'off',
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/only-throw-error': 'off',
      '@typescript-eslint/dot-notation': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { varsIgnorePattern: '^_', argsIgnorePattern: '^_' }],
      'no-console': 'error',
      'no-restricted-imports': ['error', { patterns: [temporalClient] }],
      'no-restricted-syntax': ['error', temporalCalls],
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Settings come from platform/config.ts.' },
      ],
    },
  },
  {
    files: ['workflows/**/*.ts', 'domain/**/*.ts'],
    rules: { 'no-restricted-imports': ['error', workflowSandbox] },
  },
  {
    files: [
      'cli/**',
      'dev/**',
      'sandbox/**',
      'deploy/**',
      'evidence/**',
      'tests/**',
      'platform/config.ts',
      'main.ts',
      'db/main.ts',
      'jest.config.js',
    ],
    rules: { 'no-console': 'off', 'no-restricted-properties': 'off' },
  },
  {
    files: ['starts/**', 'platform/temporal/**', 'tests/**', 'evidence/**', 'dev/**', 'deploy/**'],
    rules: { 'no-restricted-imports': 'off', 'no-restricted-syntax': 'off' },
  },
  { files: ['tests/**', 'evidence/**'], rules: { '@typescript-eslint/no-non-null-assertion': 'off' } },
  { files: ['**/*.js', '**/*.cjs', '**/*.mjs'], ...tseslint.configs.disableTypeChecked },
  {
    files: ['**/*.cjs'],
    rules: { '@typescript-eslint/no-require-imports': 'off' },
    languageOptions: { globals: { require: 'readonly', module: 'writable' } },
  },
);
