import { buffer } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import PDFDocument from 'pdfkit';
import { drawLines, heightOf, lineOf, wrap, type Document, type Style } from './pdf-text.ts';

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

/** A document that is drawn from top to bottom. `y`: top of the next element, in points. `whole`: root of the tags for screen readers. */
export type Paper = { document: Document; whole: Part; bands: readonly Band[]; y: number };

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
  return { document, whole, bands, y: topOf(bands) };
}

function topOf(bands: readonly Band[]): number {
  return MARGIN.top + bands.length * (BAND.height + BAND.gap);
}

/** Whether the page has `height` points left. */
export function hasRoom({ y }: Paper, height: number): boolean {
  return y + height <= PAGE_HEIGHT - MARGIN.bottom;
}

/** Starts a new page and moves to its top, below the bands. */
export function turnPage(paper: Paper): void {
  paper.document.addPage();
  paper.y = topOf(paper.bands);
}

/** Draws an element with its tag, heading or paragraph, for screen readers. */
export function drawPart({ document, whole }: Paper, kind: 'H1' | 'P', draw: () => void): void {
  whole.add(document.struct(kind, {}, draw));
}

/** Draws decoration, which screen readers skip. */
export function drawOrnament({ document }: Pick<Paper, 'document'>, draw: () => void): void {
  document.markContent('Artifact');
  draw();
  document.endMarkedContent();
}

/** Draws a paragraph over the whole width. It continues on the next page if necessary. */
export function writeParagraph(paper: Paper, text: string, style: Style): void {
  const { document, whole } = paper;
  const paragraph = document.struct('P');
  whole.add(paragraph);
  for (const line of text.split('\n').flatMap((part) => wrap(document, part, style, WIDTH))) {
    const height = heightOf([line], style);
    if (!hasRoom(paper, height)) turnPage(paper);
    paragraph.add(() => drawLines(document, [line], style, { x: LEFT, y: paper.y, width: WIDTH }));
    paper.y += height;
  }
}

/** Draws a horizontal line over the whole width at the current y. */
export function drawRule(paper: Paper, color: string): void {
  drawOrnament(paper, () => {
    const line = paper.document.moveTo(LEFT, paper.y).lineTo(LEFT + WIDTH, paper.y);
    line.lineWidth(0.5).stroke(color);
  });
}

/** Draws the bands, `footer` and the page number on each page, then ends the document. Returns its bytes. */
export async function bytesOf({ document, bands }: Paper, footer: string): Promise<Buffer> {
  const { count } = document.bufferedPageRange();
  for (let page = 0; page < count; page++) {
    document.switchToPage(page);
    drawOrnament({ document }, () => {
      for (const [index, band] of bands.entries())
        drawBand(document, band, BAND.top + index * (BAND.height + BAND.gap));
      drawFooter(document, footer, `Page ${page + 1} of ${count}`);
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
  drawLines(document, wrap(document, text, style, width).slice(0, 1), style, {
    x: LEFT + BAND.padding,
    y: y + 3,
    width,
  });
}

function drawFooter(document: Document, footer: string, page: string): void {
  const style: Style = { weight: 'regular', size: 7.5, color: GREY };
  const y = PAGE_HEIGHT - MARGIN.bottom / 2;
  const width = WIDTH - 80;
  drawLines(document, wrap(document, footer, style, width).slice(0, 1), style, { x: LEFT, y, width });
  drawLines(document, [lineOf(page, style)], style, { x: LEFT, y, width: WIDTH, align: 'right' });
}
