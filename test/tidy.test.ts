import assert from 'node:assert/strict';
import { PRODUCT, SOURCES, textOf, walk } from './support/sources.ts';

/** Words that are wrong somewhere: where, what, and what to do instead. */
const BANNED: [folder: string, pattern: RegExp, instead: string][] = [
  [
    'src/domain/',
    /\bDate\.now\b|\bnew Date\(|\bMath\.|\bNumber\(|\bparseFloat\b|\bprocess\./,
    'the domain is pure: take it as an argument, compute with Big',
  ],
  ['', /\bFIXME\b|\bTODO\b/, 'do it, or write an issue'],
  ['test/', /\b(?:it|describe)\.(?:only|skip)\(/, 'every test runs'],
];

const files = SOURCES.filter((file) => file !== 'test/tidy.test.ts');

describe('tidy', () => {
  it('found the sources', () => assert.ok(files.length > 50, `${files.length} files`));

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
    const others = PRODUCT.filter(
      (file) => file !== 'src/db/pool.ts' && /['"`](?:begin|commit)\b/.test(textOf(file)),
    );
    assert.deepEqual(others, []);
  });

  it('SQL is in src/db, and in two named files', () => {
    const EXCEPTIONS = ['src/cli/doctor/postgres.ts', 'src/dev/seed-events.ts'];
    const asking = PRODUCT.filter(
      (file) => !file.startsWith('web/') && /\.query(?:<[^;]*?>)?\(/.test(textOf(file)),
    );
    const elsewhere = asking.filter((file) => !file.startsWith('src/db/'));
    assert.ok(asking.length > 20, `${asking.length} files`);
    assert.deepEqual(elsewhere, EXCEPTIONS);
  });

  it('the spine of api stays short: at most nine files lie directly in it', () => {
    const spine = files.filter((file) => /^api\/[^/]+$/.test(file));
    assert.ok(spine.length <= 9, spine.join(', '));
  });

  it('the style fits a page and a decision fits a screen', () => {
    assert.ok(textOf('docs/STYLE.md').split('\n').length <= 60);
    const long = walk('docs/decisions').filter((file) => textOf(file).split('\n').length > 45);
    assert.deepEqual(long, []);
  });
});
