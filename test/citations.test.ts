import assert from 'node:assert/strict';
import { dirname, join, normalize } from 'node:path';
import { DOCUMENTS, exists, SOURCES, textOf, walk } from './support/sources/sources.ts';

/** Files whose citations are checked. Migrations are not: they are never edited after the merge, and may name deleted files. */
const CITING = [
  ...SOURCES.filter((file) => file !== 'test/citations.test.ts'),
  ...DOCUMENTS,
  ...walk('test/histories').filter((file) => file.endsWith('.md')),
];

/** The rules: a citation of one of these names a section. */
const RULES = ['billing.md', 'contract.md', 'interface-spec.md'];

/** Files and folders at the top level: each path of the project begins with one of these. */
const TOP = 'activities|api|bench|deploy|docs|migrations|sdk|src|test|web|workflows|\\.ci';

function matchesIn(pattern: RegExp): { file: string; found: string }[] {
  return CITING.flatMap((file) =>
    [...textOf(file).matchAll(pattern)].map(([whole, first]) => ({ file, found: first ?? whole })),
  );
}

/** `billing.md 3 and 4` gives `3` and `4`. */
function sectionsOf(cited: string): string[] {
  const [, ...sections] = cited.split(/ (?:and )?|, /);
  return sections;
}

describe('what code and documents cite', () => {
  it('documents exist', () => {
    const cited = matchesIn(/\b[\w-]+\.md\b/g);
    assert.ok(cited.length > 100, `${cited.length} citations`);
    const known = new Set([...DOCUMENTS, ...walk('test')].map((path) => path.split('/').at(-1)));
    const gone = cited.filter(({ found }) => !known.has(found));
    assert.deepEqual(gone, []);
  });

  for (const document of RULES) {
    it(`sections of ${document} exist`, () => {
      const headings = new Set(
        [...textOf(`docs/${document}`).matchAll(/^#+ (\d+(?:\.\d+)?)\.? /gm)].map(([, number]) => number!),
      );
      assert.ok(headings.size >= 7);
      const name = document.replace('.', '\\.');
      const cited = matchesIn(new RegExp(`\\b${name}(?: (?:and )?\\d+(?:\\.\\d+)?,?)+`, 'g'));
      assert.ok(cited.length > 1);
      const gone = cited.flatMap(({ file, found }) =>
        sectionsOf(found)
          .map((section) => section.replace(/,$/, ''))
          .filter((section) => !headings.has(section))
          .map((section) => `${file} cites ${document} ${section}`),
      );
      assert.deepEqual(gone, []);
    });
  }

  it('invariants of ARCHITECTURE.md exist', () => {
    const [, invariants] = textOf('docs/ARCHITECTURE.md').split('## Invariants\n');
    const cited = matchesIn(/ARCHITECTURE\.md, invariant (\d+)/g);
    assert.ok(cited.length > 0);
    assert.deepEqual(
      cited.filter(({ found }) => !new RegExp(`^${found}\\. `, 'm').test(invariants!)),
      [],
    );
  });

  it('decisions exist', () => {
    const numbers = new Set(walk('docs/decisions').map((file) => Number(/(\d+)-/.exec(file)![1])));
    const cited = matchesIn(/\bdecision (\d+)\b/g);
    assert.ok(cited.length > 10);
    assert.deepEqual(
      cited.filter(({ found }) => !numbers.has(Number(found))),
      [],
    );
  });

  it('paths in backticks exist', () => {
    const cited = matchesIn(new RegExp(`\`((?:${TOP})/[\\w./-]+)\``, 'g'));
    assert.ok(cited.length > 50, `${cited.length} paths`);
    assert.deepEqual(
      cited.filter(({ found }) => !exists(found)),
      [],
    );
  });

  it('files in backticks exist, named without their folder', () => {
    const names = new Set(SOURCES.map((file) => file.split('/').at(-1)));
    const cited = matchesIn(/`([\w-]+\.tsx?)`/g);
    assert.ok(cited.length >= 5, `${cited.length} files`);
    assert.deepEqual(
      cited.filter(({ found }) => !names.has(found)),
      [],
    );
  });

  it('paths in comments exist', () => {
    const cited = matchesIn(
      new RegExp(`(?<![\\w/.\`'"-])((?:${TOP})/[\\w/-]+\\.(?:tsx?|sql|md|mjs|sh))\\b`, 'g'),
    );
    assert.deepEqual(
      cited.filter(({ found }) => !exists(found)),
      [],
    );
  });

  it('links in documents lead somewhere', () => {
    const dead = DOCUMENTS.flatMap((file) =>
      [...textOf(file).matchAll(/\]\((?!https?:|#)([^)#]+)/g)]
        .map(([, link]) => normalize(join(dirname(file), link!)))
        .filter((link) => !exists(link))
        .map((link) => `${file} links to ${link}`),
    );
    assert.deepEqual(dead, []);
  });
});
