import assert from 'node:assert/strict';
import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { setImmediate as turn } from 'node:timers/promises';
import { strFromU8, unzipSync } from 'fflate';
import fc from 'fast-check';
import { zipOf, type ZippedFile } from '../../../api/zip/zip.ts';

const AT = '2026-03-02T09:00:00.000Z';

async function* chunksOf(chunks: readonly string[]): AsyncGenerator<string> {
  yield* chunks;
}

async function* filesOf(files: readonly { path: string; chunks: readonly string[] }[]) {
  for (const { path, chunks } of files) yield { path, content: chunksOf(chunks) };
}

describe('a ZIP archive', () => {
  it('has the content of each file, whatever it is', async () => {
    const some_files = fc.uniqueArray(
      fc.record({
        path: fc.stringMatching(/^[a-z]{1,8}\.(csv|pdf)$/),
        chunks: fc.array(fc.string({ unit: 'grapheme' })),
      }),
      { selector: ({ path }) => path, maxLength: 6 },
    );
    await fc.assert(
      fc.asyncProperty(some_files, async (files) => {
        const found = unzipSync(new Uint8Array(await buffer(zipOf(filesOf(files), AT))));
        const texts = Object.entries(found).map(([path, bytes]) => [path, strFromU8(bytes)]);
        assert.deepEqual(
          texts,
          files.map(({ path, chunks }) => [path, chunks.join('')]),
        );
      }),
      { numRuns: 50 },
    );
  });

  it('of equal files has equal bytes', async () => {
    const files = [{ path: 'a.csv', chunks: ['a,b'] }];
    assert.ok((await buffer(zipOf(filesOf(files), AT))).equals(await buffer(zipOf(filesOf(files), AT))));
  });

  /** Endless files of a megabyte that nothing compresses; `made` counts them. */
  function endless(): { files: AsyncGenerator<ZippedFile>; state: { made: number; is_over: boolean } } {
    const state = { made: 0, is_over: false };
    async function* generate(): AsyncGenerator<ZippedFile> {
      try {
        for (;;)
          yield {
            path: `${++state.made}.pdf`,
            content: chunksOf([Buffer.alloc(2 ** 20).toString('latin1')]),
          };
      } finally {
        state.is_over = true;
      }
    }
    return { files: generate(), state };
  }

  it('waits for its reader, and ends with it', async () => {
    const { files, state } = endless();
    const archive = zipOf(files, AT);
    for (let turns = 0; turns < 200; turns++) await turn();
    assert.ok(state.made < 5, `${state.made} files of a megabyte are made, and nobody reads`);
    archive.destroy();
    while (!state.is_over) await turn();
  });

  it('fails with the first file that cannot be read', async () => {
    async function* failing(): AsyncGenerator<string> {
      yield 'a';
      throw new Error('no database');
    }
    async function* files(): AsyncGenerator<ZippedFile> {
      yield { path: 'a.csv', content: failing() };
    }
    const archive = zipOf(files(), AT).resume();
    const [error] = await once(archive, 'error');
    assert.match(`${error}`, /no database/);
  });
});
