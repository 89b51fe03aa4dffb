import { bitsOf, passesOf, PALETTE, rowBytesOf, samplesOf, type PngFile } from './png-file.ts';

/** The pixels of an image, row by row: red, green, blue; alpha is null where all are opaque. */
export type Pixels = { width: number; height: number; rgb: Buffer; alpha: Buffer | null };

/** The pixels of a PNG whose rows were inflated (rowsOf). The filters of the rows are undone in place. */
export function pixelsOf(png: PngFile, rows: Buffer): Pixels {
  const { width, height, color, transparency } = png;
  const rgb = Buffer.alloc(width * height * 3);
  const has_alpha = color >= 4 || transparency !== null;
  const alpha = has_alpha ? Buffer.alloc(width * height) : null;
  const paint = color === PALETTE ? paintIndexes : paintSamples;
  let at = 0;
  for (const pass of passesOf(png)) {
    const row_bytes = rowBytesOf(png, pass);
    let above: Buffer | null = null;
    for (let row = 0; row < pass.height; row += 1) {
      const line = rows.subarray(at + 1, at + 1 + row_bytes);
      unfilter(rows[at]!, { line, above, step: Math.max(1, bitsOf(png) / 8) });
      const samples = unpacked(line, { depth: png.depth, count: pass.width * samplesOf(png) });
      const place = (pass.y + row * pass.dy) * width + pass.x;
      paint(png, { samples, place, step: pass.dx, rgb, alpha });
      above = line;
      at += 1 + row_bytes;
    }
  }
  return { width, height, rgb, alpha };
}

/** A row, the one above it, null for the first one, and the distance of a byte to that of the pixel before. */
type FilteredRow = { line: Buffer; above: Buffer | null; step: number };

function unfilter(filter: number, { line, above, step }: FilteredRow): void {
  for (let at = 0; filter !== 0 && at < line.length; at += 1) {
    const left = at < step ? 0 : line[at - step]!;
    const up = above === null ? 0 : above[at]!;
    const corner = above === null || at < step ? 0 : above[at - step]!;
    line[at] = line[at]! + predicted(filter, { left, up, corner });
  }
}

/** The bytes left, above, and above the left one. */
type Neighbours = { left: number; up: number; corner: number };

/** The value that a filter expects of a byte: that on the left, that above, the mean of both, or the nearest. */
function predicted(filter: number, { left, up, corner }: Neighbours): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
  return filter === 3 ? (left + up) >> 1 : paeth({ left, up, corner });
}

/** The neighbour that is the nearest to left + up - corner. */
export function paeth({ left, up, corner }: Neighbours): number {
  const from_left = Math.abs(up - corner);
  const from_up = Math.abs(left - corner);
  const from_corner = Math.abs(left + up - 2 * corner);
  if (from_left <= from_up && from_left <= from_corner) return left;
  return from_up <= from_corner ? up : corner;
}

/** The samples of a row, each a number. */
function unpacked(line: Buffer, { depth, count }: { depth: number; count: number }): ArrayLike<number> {
  if (depth === 8) return line;
  if (depth === 16) return Uint16Array.from({ length: count }, (_, place) => line.readUInt16BE(place * 2));
  const per_byte = 8 / depth;
  const mask = 2 ** depth - 1;
  return Uint8Array.from({ length: count }, (_, place) => {
    const byte = line[Math.floor(place / per_byte)]!;
    return (byte >> (8 - depth - (place % per_byte) * depth)) & mask;
  });
}

/** A row of samples, and where its pixels stand: the first at `place`, each next one `step` further. */
type PaintedRow = { samples: ArrayLike<number>; place: number; step: number } & Pick<Pixels, 'rgb' | 'alpha'>;

/** Paints pixels that are indexes of a palette. One beyond the palette is black. */
function paintIndexes(
  { palette, transparency }: PngFile,
  { samples, place, step, rgb, alpha }: PaintedRow,
): void {
  let to = place;
  for (let at = 0; at < samples.length; at += 1, to += step) {
    const index = samples[at]!;
    for (let part = 0; part < 3; part += 1) rgb[to * 3 + part] = palette?.[index * 3 + part] ?? 0;
    if (alpha !== null) alpha[to] = transparency?.[index] ?? 255;
  }
}

/** Paints pixels that are grey or color, with alpha, or with one color that is transparent. */
function paintSamples(png: PngFile, { samples, place, step, rgb, alpha }: PaintedRow): void {
  const per_pixel = samplesOf(png);
  const colors = per_pixel < 3 ? 1 : 3;
  const full = 2 ** png.depth - 1;
  const clear = numbersOf(png.transparency);
  let to = place;
  for (let at = 0; at < samples.length; at += per_pixel, to += step) {
    for (let part = 0; part < 3; part += 1)
      rgb[to * 3 + part] = Math.round((samples[at + (part % colors)]! * 255) / full);
    if (alpha === null) continue;
    const is_clear = clear?.every((value, part) => samples[at + part] === value) ?? false;
    const opacity = clear === null ? samples[at + colors]! : full;
    alpha[to] = is_clear ? 0 : Math.round((opacity * 255) / full);
  }
}

/** Numbers of two bytes. */
function numbersOf(bytes: Buffer | null): number[] | null {
  return bytes && Array.from({ length: bytes.length / 2 }, (_, place) => bytes.readUInt16BE(place * 2));
}
