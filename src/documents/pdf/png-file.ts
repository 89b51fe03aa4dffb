import { crc32, inflate } from 'node:zlib';
import { promisify } from 'node:util';

/** The color type of indexes of a palette. */
export const PALETTE = 3;
/** The samples of a pixel by color type: grey, color, index of a palette, grey and alpha, color and alpha. */
const SAMPLES: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
const DEPTHS: Readonly<Record<number, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};
const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
/** Bytes of a chunk besides its content: length, type and checksum. */
const CHUNK_BYTES = 12;
const HEADER_BYTES = 13;
const SIDE_MAX = 0x7fffffff;
const FILTERS = 5;

/** The parts of a PNG (ISO/IEC 15948) that its pixels are made of. `color` is its color type, `data` is deflated. */
export type PngFile = {
  width: number;
  height: number;
  depth: number;
  color: number;
  is_interlaced: boolean;
  /** Bytes red, green, blue of each color; null without a palette. */
  palette: Buffer | null;
  /** The content of tRNS: the alpha of colors of the palette, or the one color that is transparent. */
  transparency: Buffer | null;
  data: Buffer;
};

/** A pass of interlacing: each `dx`th pixel of each `dy`th row, from `x` and `y` on, as an image of its own. */
export type Pass = { x: number; y: number; dx: number; dy: number; width: number; height: number };

const WHOLE = [[0, 0, 1, 1]] as const;
const ADAM7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

type Chunk = { type: string; content: Buffer };

/**
 * Reads the structure of a PNG file, whose pixels stay deflated. Null for any other file, and for a PNG that lacks a
 * part, has one twice or in another place, or a wrong checksum.
 */
export function readPng(file: Buffer): PngFile | null {
  const chunks = chunksOf(file);
  const header = chunks?.[0];
  if (chunks === null || header?.type !== 'IHDR' || header.content.length !== HEADER_BYTES) return null;
  if (!areInOrder(chunks.map(({ type }) => type))) return null;
  const contentOf = (name: string) => chunks.find(({ type }) => type === name)?.content ?? null;
  const [depth, color, compression, filter, interlace] = header.content.subarray(8);
  const png = {
    width: header.content.readUInt32BE(0),
    height: header.content.readUInt32BE(4),
    depth: depth!,
    color: color!,
    is_interlaced: interlace === 1,
    palette: contentOf('PLTE'),
    transparency: contentOf('tRNS'),
    data: Buffer.concat(chunks.flatMap(({ type, content }) => (type === 'IDAT' ? [content] : []))),
  };
  const is_known = compression === 0 && filter === 0 && interlace! <= 1;
  return is_known && isConsistent(png) ? png : null;
}

/** The chunks of a file; null if they are not all of it, or a checksum is wrong. */
function chunksOf(file: Buffer): Chunk[] | null {
  if (!file.subarray(0, SIGNATURE.length).equals(SIGNATURE)) return null;
  const chunks: Chunk[] = [];
  for (let at = SIGNATURE.length; at < file.length;) {
    if (at + CHUNK_BYTES > file.length) return null;
    const end = at + 8 + file.readUInt32BE(at);
    if (end + 4 > file.length) return null;
    if (crc32(file.subarray(at + 4, end)) !== file.readUInt32BE(end)) return null;
    chunks.push({ type: file.toString('latin1', at + 4, at + 8), content: file.subarray(at + 8, end) });
    at = end + 4;
  }
  return chunks;
}

/** Chunks that a reader must understand, and tRNS, in their order; of them only IDAT may be there several times. */
const ORDER = /^IHDR (PLTE )?(tRNS )?(IDAT )+IEND $/;
const IS_CRITICAL = /^[A-Z]/;

function areInOrder(types: readonly string[]): boolean {
  const known = types.filter((type) => IS_CRITICAL.test(type) || type === 'tRNS');
  return types.at(-1) === 'IEND' && ORDER.test(known.map((type) => `${type} `).join(''));
}

function isConsistent({ width, height, depth, color, palette, transparency }: PngFile): boolean {
  if (width < 1 || width > SIDE_MAX || height < 1 || height > SIDE_MAX) return false;
  if (DEPTHS[color]?.includes(depth) !== true) return false;
  const colors = (palette?.length ?? 0) / 3;
  if (!Number.isInteger(colors) || (palette !== null && (colors < 1 || colors > 256))) return false;
  if (color === PALETTE && (colors < 1 || colors > 2 ** depth)) return false;
  if (transparency === null) return true;
  if (color === PALETTE) return transparency.length <= colors;
  return (color === 0 && transparency.length === 2) || (color === 2 && transparency.length === 6);
}

/** The passes of an image, one if it is not interlaced; those without pixels are left out. */
export function passesOf({ width, height, is_interlaced }: PngFile): Pass[] {
  const passes = (is_interlaced ? ADAM7 : WHOLE).map(([x, y, dx, dy]) => ({
    x,
    y,
    dx,
    dy,
    width: Math.ceil((width - x) / dx),
    height: Math.ceil((height - y) / dy),
  }));
  return passes.filter((pass) => pass.width > 0 && pass.height > 0);
}

/** How many samples a pixel has. */
export function samplesOf({ color }: PngFile): number {
  return SAMPLES[color]!;
}

/** The bits of a pixel. */
export function bitsOf(png: PngFile): number {
  return png.depth * samplesOf(png);
}

/** The bytes of a row of a pass, without the byte of its filter. */
export function rowBytesOf(png: PngFile, { width }: Pass): number {
  return Math.ceil((width * bitsOf(png)) / 8);
}

const inflated = promisify(inflate);

/**
 * The rows of all passes, one after the other, each behind the byte of its filter. Null if the data is not as long as
 * the header says, or a row has an unknown filter. The caller has limited the sides.
 */
export async function rowsOf(png: PngFile): Promise<Buffer | null> {
  const passes = passesOf(png);
  const sizes = passes.flatMap((pass) => Array<number>(pass.height).fill(1 + rowBytesOf(png, pass)));
  const size = sizes.reduce((sum, bytes) => sum + bytes, 0);
  // More than that is not inflated: a small file may hide any number of zeros.
  const rows = await inflated(png.data, { maxOutputLength: size }).catch(() => null);
  if (rows?.length !== size) return null;
  let at = 0;
  for (const bytes of sizes) {
    if (rows[at]! >= FILTERS) return null;
    at += bytes;
  }
  return rows;
}
