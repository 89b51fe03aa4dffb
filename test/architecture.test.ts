import assert from 'node:assert/strict';
import { importsOf, PRODUCT, SOURCES, textOf, type Import } from './support/sources/sources.ts';

const ARCHITECTURE = textOf('docs/ARCHITECTURE.md');

type Folder = { folder: string; entries: readonly string[] };

/** Rows of the import table, the most specific folder first. */
const TABLE: readonly Folder[] = [...ARCHITECTURE.matchAll(/^\| `([\w/]+)` \| .* \| ((?:`[^`]+` ?)*)\|$/gm)]
  .map(([, folder, imports]) => ({
    folder: `${folder}/`,
    entries: [...imports!.matchAll(/`([^`]+)`/g)].map(([, entry]) => entry!),
  }))
  .sort((a, b) => b.folder.length - a.folder.length);

const folderOf = (file: string) => TABLE.find(({ folder }) => file.startsWith(folder));

/**
 * An entry of the table is a package, `node:`, a file or folder of this project, or `src/*.ts` for the files directly in a folder.
 * An entry that begins with `type ` allows type imports only.
 */
function allows(entry: string, found: Import): boolean {
  if (entry.startsWith('type ')) return found.type_only && allows(entry.slice('type '.length), found);
  const { target } = found;
  if (entry.endsWith('/*.ts')) return new RegExp(`^${entry.slice(0, -'*.ts'.length)}[^/]+$`).test(target);
  if (entry.endsWith(':')) return target.startsWith(entry);
  return target === entry || target.startsWith(`${entry}/`);
}

/** Index of a file's folder in the printed order of `api`, `src` or one of its folders; null if the order does not list the folder. */
function orderOf(top: string): (file: string) => number | null {
  const line = new RegExp(`^${top} {2,}(.*)$`, 'm').exec(ARCHITECTURE);
  assert.ok(line, `docs/ARCHITECTURE.md has no order of ${top}`);
  const rooms = line[1]!.split(' > ');
  return (file) => {
    const [place] = rooms
      .map((room, index) => ({ room: `${top}/${room}/`, index }))
      .filter(({ room }) => file.startsWith(room))
      .sort((a, b) => b.room.length - a.room.length);
    if (place !== undefined) return place.index;
    return rooms[0] === 'spine' && new RegExp(`^${top}/[^/]+$`).test(file) ? 0 : null;
  };
}

describe('the architecture', () => {
  it('has a row for every folder of the product', () => {
    assert.ok(TABLE.length >= 12, `${TABLE.length} rows`);
    assert.deepEqual(
      PRODUCT.filter((file) => folderOf(file) === undefined),
      [],
    );
  });

  const crossings = SOURCES.flatMap((file) => {
    const row = folderOf(file);
    if (row === undefined) return [];
    return importsOf(file)
      .filter(({ target }) => folderOf(target) !== row)
      .map((found) => ({ row, found }));
  });

  it('every import is allowed by the table', () => {
    const forbidden = crossings
      .filter(({ row, found }) => !row.entries.some((entry) => allows(entry, found)))
      .map(({ row, found }) => `${found.file} imports ${found.target}; ${row.folder} may not`);
    assert.deepEqual(forbidden, []);
  });

  it('every entry of the table is used', () => {
    const unused = TABLE.flatMap((row) =>
      row.entries
        .filter((entry) => !crossings.some((other) => other.row === row && allows(entry, other.found)))
        .map((entry) => `${row.folder} imports no ${entry}`),
    );
    assert.deepEqual(unused, []);
  });

  for (const top of ['api', 'src', 'src/billing', 'src/db', 'src/domain']) {
    it(`each folder of ${top} imports only folders after it in the order`, () => {
      const placeOf = orderOf(top);
      const inside = SOURCES.filter((file) => placeOf(file) !== null).flatMap(importsOf);
      const upward = inside
        .filter(({ file, target }) => (placeOf(target) ?? Infinity) < placeOf(file)!)
        .map(({ file, target }) => `${file} imports ${target}`);
      assert.ok(inside.length > 100, `${inside.length} imports`);
      assert.deepEqual(upward, []);
    });

    it(`every folder of ${top} is in the order`, () => {
      const placeOf = orderOf(top);
      const nowhere = PRODUCT.filter(
        (file) => new RegExp(`^${top}/.+/`).test(file) && placeOf(file) === null,
      );
      assert.deepEqual(nowhere, []);
    });
  }

  it('no imports form a cycle', () => {
    const graph = new Map(
      SOURCES.map((file) => [
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
    for (const file of SOURCES) visit(file, []);
    assert.deepEqual(circles, []);
  });

  it('no product code imports tests or benchmarks', () => {
    const wrong = PRODUCT.flatMap(importsOf).filter(({ target }) => /^(?:test|bench)\//.test(target));
    assert.deepEqual(wrong, []);
  });
});
