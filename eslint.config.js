import tseslint from 'typescript-eslint';

/** What may not be imported into code that Temporal replays: it must be deterministic and free of I/O. */
const workflowSandbox = {
  patterns: [
    {
      group: ['node:*', 'zod', 'pino', 'postgres', 'undici', 'stripe', 'fastify'],
      message: 'Workflow code has no I/O.',
    },
    { group: ['**/activities/**'], allowTypeImports: true, message: 'Activities are types only here.' },
  ],
};

export default tseslint.config(
  { ignores: ['dist', 'node_modules', '.local', 'coverage'] },
  ...tseslint.configs.strictTypeChecked,
  ...tseslint.configs.stylisticTypeChecked,
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
      'bench/**',
      'tests/**',
      'platform/config.ts',
      'main.ts',
      'db/main.ts',
      'jest.config.js',
    ],
    rules: { 'no-console': 'off', 'no-restricted-properties': 'off' },
  },
  { files: ['tests/**'], rules: { '@typescript-eslint/no-non-null-assertion': 'off' } },
  { files: ['**/*.js', '**/*.cjs', '**/*.mjs'], ...tseslint.configs.disableTypeChecked },
  {
    files: ['**/*.cjs'],
    rules: { '@typescript-eslint/no-require-imports': 'off' },
    languageOptions: { globals: { require: 'readonly', module: 'writable' } },
  },
);
