import { crc32, deflateSync } from 'node:zlib';

/** A pixel as samples of its color type, each from 0 to the greatest of the depth. */
type Samples = readonly number[];

export type PngParts = {
  width: number;
  height: number;
  /** Color type: 0 grey, 2 color, 3 palette, 4 grey and alpha, 6 color and alpha. */
  color: number;
  depth: number;
  is_interlaced?: boolean;
  samplesAt: (x: number, y: number) => Samples;
  /** Chunks before the data: PLTE, tRNS and others. */
  chunks?: readonly [type: string, content: Buffer][];
};

const PASSES = ['0088', '4088', '0448', '2044', '0224', '1022', '0112'];

/** Writes a PNG. Its rows have the five filters in turn. */
export function png(parts: PngParts): Buffer {
  return pngOf([
    ['IHDR', headerOf(parts)],
    ...(parts.chunks ?? []),
    ['IDAT', deflateSync(rowsOf(parts))],
    ['IEND', Buffer.alloc(0)],
  ]);
}

/** A PNG of these chunks. */
export function pngOf(chunks: readonly [type: string, content: Buffer][]): Buffer {
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    ...chunks.flatMap(([type, content]) => {
      const named = Buffer.concat([Buffer.from(type, 'latin1'), content]);
      return [uint32(content.length), named, uint32(crc32(named))];
    }),
  ]);
}

/** A PNG of one color, such as #1f5fa8. */
export function plainPng(width: number, height: number, color: string): Buffer {
  const row = Buffer.concat([Buffer.alloc(1), Buffer.alloc(width * 3, color.slice(1), 'hex')]);
  const data = deflateSync(Buffer.concat(Array<Buffer>(height).fill(row)));
  const header = headerOf({ width, height, color: 2, depth: 8 });
  return pngOf([
    ['IHDR', header],
    ['IDAT', data],
    ['IEND', Buffer.alloc(0)],
  ]);
}

type Header = Pick<PngParts, 'width' | 'height' | 'color' | 'depth' | 'is_interlaced'>;

function headerOf({ width, height, color, depth, is_interlaced = false }: Header): Buffer {
  return Buffer.concat([
    uint32(width),
    uint32(height),
    Buffer.from([depth, color, 0, 0, is_interlaced ? 1 : 0]),
  ]);
}

/** A PNG of this length in bytes, which a text fills up. */
export function pngOfBytes(bytes: number): Buffer {
  const parts: PngParts = { width: 1, height: 1, color: 0, depth: 8, samplesAt: () => [0] };
  const text = (length: number): [string, Buffer] => ['tEXt', Buffer.alloc(length, 'a\0')];
  const least = png({ ...parts, chunks: [text(0)] }).length;
  return png({ ...parts, chunks: [text(bytes - least)] });
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function rowsOf({ width, height, color, depth, is_interlaced = false, samplesAt }: PngParts): Buffer {
  const step = Math.max(1, (depth * { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }[color]!) / 8);
  const rows: Buffer[] = [];
  for (const pass of is_interlaced ? PASSES : ['0011']) {
    const [x0 = 0, y0 = 0, dx = 1, dy = 1] = [...pass].map(Number);
    let above: Buffer | null = null;
    for (let y = y0; y < height; y += dy) {
      const bits: string[] = [];
      for (let x = x0; x < width; x += dx)
        for (const sample of samplesAt(x, y)) bits.push(sample.toString(2).padStart(depth, '0'));
      if (bits.length === 0) continue;
      const bytes = bits
        .join('')
        .match(/.{1,8}/g)!
        .map((byte) => parseInt(byte.padEnd(8, '0'), 2));
      const line = Buffer.from(bytes);
      rows.push(filtered(rows.length % 5, { line, above, step }));
      above = line;
    }
  }
  return Buffer.concat(rows);
}

function filtered(
  filter: number,
  { line, above, step }: { line: Buffer; above: Buffer | null; step: number },
): Buffer {
  const written = [...line].map((byte, at) => {
    const a = line[at - step] ?? 0;
    const b = above?.[at] ?? 0;
    const c = above?.[at - step] ?? 0;
    const p = a + b - c;
    const nearest = [a, b, c].reduce((best, value) =>
      Math.abs(p - value) < Math.abs(p - best) ? value : best,
    );
    return (byte - [0, a, b, Math.floor((a + b) / 2), nearest][filter]!) & 255;
  });
  return Buffer.from([filter, ...written]);
}
