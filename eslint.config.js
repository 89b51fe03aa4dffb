import hooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

const SPREAD_LITERALS = ['Object', 'Array'].map((kind) => ({
  selector: `${kind}Expression > SpreadElement > ${kind}Expression`,
  message: 'Write the members where they stand.',
}));
const DOUBLE_AS = {
  selector: 'TSAsExpression > TSAsExpression > TSUnknownKeyword',
  message: 'Make the types say it.',
};
const MANY_PARAMETERS = {
  selector: ':function[params.length>3]:not([params.0.name=/^(db|pool)$/]), :function[params.length>4]',
  message: 'Take one object (STYLE 6).',
};

// Every rule here stands for a bug that has cost somebody money; layout is Prettier's.
export default tseslint.config(
  { ignores: ['web/dist/', 'web/src/api/schema.ts', 'sdk/typescript/dist/', 'sdk/typescript/src/schema.ts'] },
  {
    files: ['**/*.{ts,tsx}'],
    // No comment switches a rule off.
    linterOptions: { noInlineConfig: true },
    languageOptions: { parser: tseslint.parser, parserOptions: { projectService: true } },
    plugins: { '@typescript-eslint': tseslint.plugin },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/ban-ts-comment': ['error', { 'ts-expect-error': true }],
      'no-restricted-syntax': ['error', DOUBLE_AS],
      eqeqeq: 'error',
      'no-nested-ternary': 'error',
      'max-lines': ['error', { max: 300 }],
      'max-lines-per-function': ['error', { max: 60 }],
    },
  },
  {
    // A test file is a list of cases; its outer function is not a function that anybody reads as one.
    files: ['test/**/*.ts', 'bench/**/*.ts'],
    rules: { 'max-lines-per-function': 'off', 'no-nested-ternary': 'off' },
  },
  {
    // Not the client in sdk/: its functions are what its users call.
    files: ['{api,worker,activities,workflows,src,cli,dev}/**/*.ts', 'web/src/**/*.{ts,tsx}'],
    rules: { 'no-restricted-syntax': ['error', DOUBLE_AS, MANY_PARAMETERS, ...SPREAD_LITERALS] },
  },
  {
    // Preact's hooks have the rules of React's. An effect that leaves out what it reads goes on with the old value.
    files: ['web/src/**/*.{ts,tsx}'],
    plugins: { 'react-hooks': hooks },
    rules: { 'react-hooks/rules-of-hooks': 'error', 'react-hooks/exhaustive-deps': 'error' },
  },
  {
    // What these files import is replayed for ever.
    files: ['workflows/**/*.ts'],
    rules: { 'no-restricted-globals': ['error', 'process', 'Intl', 'setTimeout', 'setInterval'] },
  },
);
