import assert from 'node:assert/strict';
import { deflateSync } from 'node:zlib';
import { readPng, rowsOf } from '../../src/documents/pdf/png-file.ts';
import { pixelsOf } from '../../src/documents/pdf/png-pixels.ts';
import { plainPng, png, pngOf, type PngParts } from '../support/documents/png.ts';

const [WIDTH, HEIGHT] = [13, 11];

/** The pixels that are read, `red green blue alpha` each. */
async function read(file: Buffer): Promise<string[]> {
  const parts = readPng(file)!;
  const { rgb, alpha } = pixelsOf(parts, (await rowsOf(parts))!);
  return Array.from({ length: parts.width * parts.height }, (_, at) =>
    [...rgb.subarray(at * 3, at * 3 + 3), alpha?.[at] ?? 255].join(' '),
  );
}

const KINDS: [color: number, samples: number, depths: number[]][] = [
  [0, 1, [1, 2, 4, 8, 16]],
  [2, 3, [8, 16]],
  [3, 1, [1, 2, 4, 8]],
  [4, 2, [8, 16]],
  [6, 4, [8, 16]],
];

/** Colors of a palette; of the first three the alpha is 0, 100 and 200. */
const COLORS = Array.from({ length: 256 }, (_, index) => [index, 255 - index, (index * 7) % 256]);
const ALPHAS = [0, 100, 200];

/** The look of a pixel of these samples, by the standard. */
function seen({ color, depth }: PngParts, samples: readonly number[], is_clear: boolean): string {
  const [first = 0, second = 0, third = 0, fourth = 0] = samples.map((value) =>
    Math.round((value / (2 ** depth - 1)) * 255),
  );
  if (color === 0) return [first, first, first, is_clear ? 0 : 255].join(' ');
  if (color === 2) return [first, second, third, is_clear ? 0 : 255].join(' ');
  if (color === 3) return [...COLORS[samples[0]!]!, ALPHAS[samples[0]!] ?? 255].join(' ');
  return (color === 4 ? [first, first, first, second] : [first, second, third, fourth]).join(' ');
}

describe('a PNG', () => {
  for (const [color, samples, depths] of KINDS)
    for (const depth of depths)
      for (const is_interlaced of [false, true])
        it(`of color type ${color} with ${depth} bits${is_interlaced ? ', interlaced,' : ''} has its pixels`, async () => {
          const samplesAt = (x: number, y: number) =>
            Array.from(
              { length: samples },
              (_, at) => (x * 2663 + y * 4241 + at * 977 + x * y * 31) % 2 ** depth,
            );
          const clear = samplesAt(2, 2);
          const clear_bytes = Buffer.from(clear.flatMap((value) => [value >> 8, value & 255]));
          const palette: [string, Buffer][] = [
            ['PLTE', Buffer.from(COLORS.slice(0, 2 ** depth).flat())],
            ['tRNS', Buffer.from(ALPHAS.slice(0, 2 ** depth))],
          ];
          const chunks = color === 3 ? palette : [['tRNS', clear_bytes] as [string, Buffer]];
          const parts = { width: WIDTH, height: HEIGHT, color, depth, is_interlaced, samplesAt };
          const file = png({ ...parts, chunks: color < 4 ? chunks : [] });
          const expected = Array.from({ length: WIDTH * HEIGHT }, (_, at) => {
            const here = samplesAt(at % WIDTH, Math.floor(at / WIDTH));
            return seen(parts, here, `${here}` === `${clear}`);
          });
          assert.deepEqual(await read(file), expected);
        });

  it('of one pixel, interlaced, and with a chunk that nobody knows, has its pixel', async () => {
    const chunks: [string, Buffer][] = [['abCd', Buffer.from('unknown')]];
    const parts = { width: 1, height: 1, color: 2, depth: 8, is_interlaced: true, chunks };
    assert.deepEqual(await read(png({ ...parts, samplesAt: () => [1, 2, 3] })), ['1 2 3 255']);
  });

  it('with an index beyond its palette has black there', async () => {
    const chunks: [string, Buffer][] = [['PLTE', Buffer.from([9, 9, 9])]];
    const parts = { width: 2, height: 1, color: 3, depth: 2, chunks };
    assert.deepEqual(await read(png({ ...parts, samplesAt: (x) => [x * 2] })), ['9 9 9 255', '0 0 0 255']);
  });

  const GOOD = plainPng(2, 2, '#1f5fa8');
  const header = (...bytes: number[]): [string, Buffer] => ['IHDR', Buffer.from(bytes)];
  const HEADER = header(0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0);
  const DATA: [string, Buffer] = ['IDAT', deflateSync(Buffer.from([0, 7]))];
  const END: [string, Buffer] = ['IEND', Buffer.alloc(0)];
  const PALETTE: [string, Buffer] = ['PLTE', Buffer.from([1, 2, 3])];
  const BROKEN: [what: string, file: Buffer][] = [
    ['nothing', Buffer.alloc(0)],
    ['a JPEG', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16])],
    ['the signature alone', GOOD.subarray(0, 8)],
    ['a file that is cut off', GOOD.subarray(0, -5)],
    ['a file without its end', GOOD.subarray(0, -12)],
    ['bytes behind the end', Buffer.concat([GOOD, Buffer.from('more')])],
    ['a wrong checksum', Buffer.concat([GOOD.subarray(0, -1), Buffer.from([0])])],
    ['a length beyond the file', Buffer.concat([GOOD.subarray(0, 8), Buffer.alloc(12, 255)])],
    ['no header', pngOf([DATA, END])],
    ['a short header', pngOf([header(0, 0, 0, 1), DATA, END])],
    ['two headers', pngOf([HEADER, HEADER, DATA, END])],
    ['no width', pngOf([header(0, 0, 0, 0, 0, 0, 0, 1, 8, 0, 0, 0, 0), DATA, END])],
    ['no height', pngOf([header(0, 0, 0, 1, 0, 0, 0, 0, 8, 0, 0, 0, 0), DATA, END])],
    ['a depth of 3 bits', pngOf([header(0, 0, 0, 1, 0, 0, 0, 1, 3, 0, 0, 0, 0), DATA, END])],
    ['colors of 4 bits', pngOf([header(0, 0, 0, 1, 0, 0, 0, 1, 4, 2, 0, 0, 0), DATA, END])],
    ['color type 5', pngOf([header(0, 0, 0, 1, 0, 0, 0, 1, 8, 5, 0, 0, 0), DATA, END])],
    ['another compression', pngOf([header(0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 1, 0, 0), DATA, END])],
    ['another filter method', pngOf([header(0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 1, 0), DATA, END])],
    ['another way of interlacing', pngOf([header(0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 2), DATA, END])],
    ['no data', pngOf([HEADER, END])],
    ['a chunk between its data', pngOf([HEADER, DATA, PALETTE, DATA, END])],
    ['a palette behind the data', pngOf([HEADER, DATA, PALETTE, END])],
    ['a palette of half a color', pngOf([HEADER, ['PLTE', Buffer.alloc(4)], DATA, END])],
    ['no palette', pngOf([header(0, 0, 0, 1, 0, 0, 0, 1, 8, 3, 0, 0, 0), DATA, END])],
    [
      'a palette that is too long',
      pngOf([header(0, 0, 0, 1, 0, 0, 0, 1, 1, 3, 0, 0, 0), ['PLTE', Buffer.alloc(9)], DATA, END]),
    ],
    ['a transparent color of one byte', pngOf([HEADER, ['tRNS', Buffer.alloc(1)], DATA, END])],
    [
      'an alpha beyond the palette',
      pngOf([header(0, 0, 0, 1, 0, 0, 0, 1, 8, 3, 0, 0, 0), PALETTE, ['tRNS', Buffer.alloc(2)], DATA, END]),
    ],
    ['an unknown chunk that must be understood', pngOf([HEADER, ['ABCD', Buffer.alloc(0)], DATA, END])],
    ['data that is not deflated', pngOf([HEADER, ['IDAT', Buffer.from('no data')], END])],
    ['too little data', pngOf([HEADER, ['IDAT', deflateSync(Buffer.alloc(1))], END])],
    ['too much data', pngOf([HEADER, ['IDAT', deflateSync(Buffer.alloc(3))], END])],
    ['a hundred million zeros', pngOf([HEADER, ['IDAT', deflateSync(Buffer.alloc(100_000_000))], END])],
    ['data without its end', pngOf([HEADER, ['IDAT', DATA[1].subarray(0, -4)], END])],
    ['an unknown filter of a row', pngOf([HEADER, ['IDAT', deflateSync(Buffer.from([5, 7]))], END])],
  ];
  for (const [what, file] of BROKEN)
    it(`is not read from ${what}`, async () => {
      const parts = readPng(file);
      assert.equal(parts && (await rowsOf(parts)), null);
    });

  it('is not read from any file with one byte less, or with another byte', async () => {
    for (let at = 0; at < GOOD.length; at += 1) {
      const changed = Buffer.from(GOOD);
      changed[at]! ^= 1;
      for (const file of [changed, Buffer.concat([GOOD.subarray(0, at), GOOD.subarray(at + 1)])]) {
        const parts = readPng(file);
        assert.equal(parts && (await rowsOf(parts)), null, `at ${at}`);
      }
    }
  });
});
