import { deflateSync } from 'node:zlib';
import { readPng, rowsOf } from './png-file.ts';
import { paeth, pixelsOf, type Pixels } from './png-pixels.ts';
import { drawOrnament, LEFT, type Paper } from './pdf-paper.ts';

/** The greatest logo on paper, in points. A pixel is a point at most. */
const WIDTH_MAX = 200;
const HEIGHT_MAX = 52;
const SPACE = 10;
const COLORS = 3;

/** A logo as a PDF has it, deflated: `rgb` with the filters of PNG, `alpha` without; null where all is opaque. */
export type Logo = { width: number; height: number; rgb: Buffer; alpha: Buffer | null };

/** The logo printed last, by its file: most documents of a seller have the same one. */
let last: { png: Uint8Array; logo: Promise<Logo> } | null = null;

/**
 * Reads a logo. pdfkit does not: its reader of PNG garbles palettes of few bits, colors of 16 bits and transparent
 * colors, and writes what it read at a time of its own, so that equal documents had other bytes.
 */
export function logoOf(png: Uint8Array): Promise<Logo> {
  if (last === null || Buffer.compare(last.png, png) !== 0) last = { png, logo: readLogo(png) };
  return last.logo;
}

/** Throws an Error for a file that was not stored as a logo, where it was checked (api/resources/account-logo.ts). */
async function readLogo(bytes: Uint8Array): Promise<Logo> {
  const png = readPng(Buffer.from(bytes));
  const rows = png === null ? null : await rowsOf(png);
  if (png === null || rows === null) throw new Error('the logo is no PNG');
  const pixels = pixelsOf(png, rows);
  const { width, height, alpha } = pixels;
  return { width, height, rgb: smallest(pixels), alpha: alpha && deflateSync(alpha) };
}

/** Colors in the shorter of two forms: drawings are shorter as they are, photos by the difference to what is near. */
function smallest({ width, rgb }: Pixels): Buffer {
  const [plain, differences] = [0, 4].map((filter) => deflateSync(filtered(rgb, width * COLORS, filter)));
  return plain!.length <= differences!.length ? plain! : differences!;
}

function filtered(bytes: Buffer, row_bytes: number, filter: number): Buffer {
  const rows = bytes.length / row_bytes;
  const result = Buffer.alloc(bytes.length + rows);
  for (let row = 0; row < rows; row += 1) {
    const [from, to] = [row * row_bytes, row * (row_bytes + 1)];
    result[to] = filter;
    if (filter === 0) bytes.copy(result, to + 1, from, from + row_bytes);
    for (let at = 0; filter !== 0 && at < row_bytes; at += 1) {
      const left = at < COLORS ? 0 : bytes[from + at - COLORS]!;
      const up = row === 0 ? 0 : bytes[from + at - row_bytes]!;
      const corner = row === 0 || at < COLORS ? 0 : bytes[from + at - row_bytes - COLORS]!;
      result[to + 1 + at] = bytes[from + at]! - paeth({ left, up, corner });
    }
  }
  return result;
}

/** Draws a logo at the left, and moves below it. Screen readers skip it: the name of the seller follows. */
export function drawLogo(paper: Paper, logo: Logo): void {
  const { document, y } = paper;
  const scale = Math.min(1, WIDTH_MAX / logo.width, HEIGHT_MAX / logo.height);
  const [width, height] = [logo.width * scale, logo.height * scale];
  const image = { ...IMAGE, Width: logo.width, Height: logo.height };
  const reference = document.ref({
    ...image,
    ColorSpace: 'DeviceRGB',
    DecodeParms: { Predictor: 15, Colors: COLORS, BitsPerComponent: 8, Columns: logo.width },
    ...(logo.alpha === null
      ? {}
      : { SMask: written(document.ref({ ...image, ColorSpace: 'DeviceGray' }), logo.alpha) }),
  });
  document.page.xobjects.Logo = written(reference, logo.rgb);
  drawOrnament(paper, () => {
    document.save();
    document.transform(width, 0, 0, -height, LEFT, y + height).addContent('/Logo Do');
    document.restore();
  });
  paper.y += height + SPACE;
}

const IMAGE = { Type: 'XObject', Subtype: 'Image', BitsPerComponent: 8, Filter: 'FlateDecode' };

function written(reference: PDFKit.PDFKitReference, bytes: Buffer): PDFKit.PDFKitReference {
  reference.end(bytes);
  return reference;
}
