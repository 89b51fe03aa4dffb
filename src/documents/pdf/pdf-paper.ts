import { buffer } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import PDFDocument from 'pdfkit';
import { isolated } from '../../domain/money/isolated.ts';
import {
  countFitting,
  drawLines,
  heightOf,
  lineOf,
  wrap,
  type Document,
  type Line,
  type Measure,
  type Style,
} from './pdf-text.ts';

/** Layout of an A4 page in points. Bands and page numbers are in the margins. */
export const LEFT = 48;
export const WIDTH = 499;
const PAGE_HEIGHT = 841.89;
const MARGIN = { top: 48, bottom: 64 };
const BAND = { top: 24, height: 18, gap: 4, padding: 8 };

export const INK = '#111827';
export const GREY = '#4b5563';
export const PALE = '#d1d5db';

/** A coloured band at the top of every page. */
export type Band = { text: string; color: string; background: string };

export type Part = PDFKit.PDFStructureElement;

/** The top of the next element: the page, from 0, and the distance from its top in points. */
export type Place = { page: number; y: number };

/** A document that is drawn from top to bottom. `whole`: root of the tags for screen readers. */
export type Paper = Place & { document: Document; whole: Part; bands: readonly Band[] };

/** Opens a tagged A4 document; `created_at` is an instant. */
export function openPaper(options: {
  title: string;
  author: string;
  created_at: string;
  bands: readonly Band[];
}): Paper {
  const { title, author, created_at, bands } = options;
  const document = new PDFDocument({
    size: 'A4',
    // We position everything ourselves, without pdfkit's text flow.
    margin: 0,
    bufferPages: true,
    lang: 'en',
    tagged: true,
    displayTitle: true,
    pdfVersion: '1.7',
    // No clock and no random values: the same invoice gives the same bytes.
    info: { Title: title, Author: author, Creator: 'Tidemark', CreationDate: new Date(created_at) },
  });
  const whole = document.struct('Document');
  document.addStructure(whole);
  return { document, whole, bands, page: 0, y: topOf(bands) };
}

function topOf(bands: readonly Band[]): number {
  return MARGIN.top + bands.length * (BAND.height + BAND.gap);
}

/** The points that are left on the page. */
export function roomOf({ y }: Paper): number {
  return PAGE_HEIGHT - MARGIN.bottom - y;
}

/** The points of a whole page, below the bands. */
export function roomOfPage({ bands }: Paper): number {
  return PAGE_HEIGHT - MARGIN.bottom - topOf(bands);
}

/** Points by which sums of heights may differ, because they are added in another order. */
const SLACK = 0.01;

/** Whether the page has `height` points left. */
export function hasRoom(paper: Paper, height: number): boolean {
  return height <= roomOf(paper) + SLACK;
}

/** Moves to the top of the next page, below the bands; adds the page if the document does not have it. */
export function turnPage(paper: Paper): void {
  const { document, bands, page } = paper;
  if (page + 1 === document.bufferedPageRange().count) document.addPage();
  moveTo(paper, { page: page + 1, y: topOf(bands) });
}

/** Moves to a place on a page that the document has. */
export function moveTo(paper: Paper, { page, y }: Place): void {
  paper.document.switchToPage(page);
  Object.assign(paper, { page, y });
}

/** Starts an element with its tag, heading or paragraph, for screen readers. */
export function startPart({ document, whole }: Paper, kind: 'H1' | 'P'): Part {
  const part = document.struct(kind);
  whole.add(part);
  return part;
}

/** Lines of an element, in a column. `beside` draws what stands left of the first line, by its top. */
type WrittenLines = Measure & { part: Part; lines: readonly Line[]; x: number; beside?: (y: number) => void };

/** Draws lines of an element in a column, and on the next pages what this page has no room for. */
export function writeLines(paper: Paper, { part, lines, beside, ...column }: WrittenLines): void {
  const { style } = column;
  for (let next = 0; next < lines.length;) {
    const rest = lines.slice(next);
    const here = rest.slice(0, countFitting(rest, style, roomOf(paper)));
    const is_first = next === 0;
    next += here.length;
    if (here.length > 0) {
      const place = { ...column, y: paper.y, is_followed: next < lines.length };
      part.add(() => {
        if (is_first) beside?.(place.y);
        drawLines(paper.document, here, place);
      });
      paper.y += heightOf(here, style);
    }
    if (next < lines.length) turnPage(paper);
  }
}

/** Draws decoration, which screen readers skip. */
export function drawOrnament({ document }: Pick<Paper, 'document'>, draw: () => void): void {
  document.markContent('Artifact');
  draw();
  document.endMarkedContent();
}

/** Draws a paragraph over the whole width. */
export function writeParagraph(paper: Paper, text: string, style: Style): void {
  const lines = text.split('\n').flatMap((part) => wrap(paper.document, part, { style, width: WIDTH }));
  writeLines(paper, { part: startPart(paper, 'P'), lines, style, x: LEFT, width: WIDTH });
}

/** Draws a horizontal line over the whole width at the current y. */
export function drawRule(paper: Paper, color: string): void {
  drawOrnament(paper, () => {
    const line = paper.document.moveTo(LEFT, paper.y).lineTo(LEFT + WIDTH, paper.y);
    line.lineWidth(0.5).stroke(color);
  });
}

/** The foot of each page: the seller, where the line has room for it, and the document. */
type Foot = { seller: string; name: string };

/** Draws the bands, the foot and the page number on each page, then ends the document. Returns its bytes. */
export async function bytesOf({ document, bands }: Paper, foot: Foot): Promise<Buffer> {
  const { count } = document.bufferedPageRange();
  for (let page = 0; page < count; page++) {
    document.switchToPage(page);
    drawOrnament({ document }, () => {
      for (const [index, band] of bands.entries())
        drawBand(document, band, BAND.top + index * (BAND.height + BAND.gap));
      drawFooter(document, foot, `Page ${page + 1} of ${count}`);
    });
    await setImmediate();
  }
  document.end();
  return buffer(document);
}

function drawBand(document: Document, { text, color, background }: Band, y: number): void {
  const style: Style = { weight: 'bold', size: 9, color };
  const width = WIDTH - 2 * BAND.padding;
  document.rect(LEFT, y, WIDTH, BAND.height).fill(background);
  drawLines(document, wrap(document, text, { style, width }).slice(0, 1), {
    style,
    x: LEFT + BAND.padding,
    y: y + 3,
    width,
  });
}

function drawFooter(document: Document, { seller, name }: Foot, page: string): void {
  const style: Style = { weight: 'regular', size: 7.5, color: GREY };
  const y = PAGE_HEIGHT - MARGIN.bottom / 2;
  const width = WIDTH - 80;
  const whole = wrap(document, `${isolated(seller)}, ${name}`, { style, width });
  const lines = whole.length === 1 ? whole : [lineOf(name, style)];
  drawLines(document, lines, { style, x: LEFT, y, width });
  drawLines(document, [lineOf(page, style)], { style, x: LEFT, y, width: WIDTH, align: 'right' });
}
