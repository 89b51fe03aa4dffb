import { paragraphOf, stretchesOf, type Paragraph, type Span, type DirectionalRun } from './pdf-bidi.ts';
import { fontOf, isReversedByFont, mainFont, type NamedFont, type Weight } from './pdf-fonts.ts';
import { characters, printable } from './pdf-printable.ts';

export type Document = PDFKit.PDFDocument;
/** `size` is in points. */
export type Style = { weight: Weight; size: number; color: string };
/** The style of a text and the width of its column, in points. */
export type Measure = { style: Style; width: number };
export type Alignment = 'left' | 'right';

/** A line: a range of a paragraph. */
export type Line = { paragraph: Paragraph; span: Span };

/** A part of a line in one font. `is_shaped_whole`: fontkit shapes it as a whole and reverses it. */
type Run = { text: string; font: NamedFont; is_shaped_whole: boolean };

/** The height of a line, and the distance of its letters' foot from its top, as multiples of the font size. */
type Spacing = { height: number; baseline: number };
const SPACING: Spacing = { height: 1.35, baseline: 1.02 };
/** Spacing for scripts that set vowels and letters above and below others. */
const WIDE_SPACING: Spacing = { height: 1.8, baseline: 1.26 };
const STACKED =
  /[\p{Script_Extensions=Thai}\p{Script_Extensions=Bengali}\p{Script_Extensions=Myanmar}\p{Script_Extensions=Khmer}]/u;
const SIZE_MIN = 4;

function spacingOf({ paragraph, span }: Line): Spacing {
  if (paragraph.embedding === null) return SPACING;
  return STACKED.test(paragraph.text.slice(span.start, span.end)) ? WIDE_SPACING : SPACING;
}

/** Height of the lines, in points. */
export function heightOf(lines: readonly Line[], { size }: Style): number {
  return lines.reduce((height, line) => height + spacingOf(line).height * size, 0);
}

/** How many of the lines fit a room, in points. */
export function countFitting(lines: readonly Line[], style: Style, room: number): number {
  let count = 0;
  while (count < lines.length && heightOf(lines.slice(0, count + 1), style) <= room) count += 1;
  return count;
}

/** Breaks a text into lines that fit `width`: between words, and inside a word only if it is wider than a line. */
export function wrap(document: Document, text: string, measure: Measure): Line[] {
  const { style, width } = measure;
  const paragraph = paragraphOf(printable(text, style.weight));
  const space = useFont(document, mainFont(style.weight), style.size).widthOfString(' ');
  const lines: Line[] = [];
  let line: Line | null = null;
  let used = 0;
  for (const word of wordsOf(paragraph).flatMap((whole) => pieces(document, whole, measure))) {
    const needed = widthOf(document, word, style);
    if (line !== null && used + space + needed <= width) {
      line.span.end = word.span.end;
      used += space + needed;
      continue;
    }
    line = { paragraph, span: { ...word.span } };
    lines.push(line);
    used = needed;
  }
  return lines.length === 0 ? [{ paragraph, span: { start: 0, end: 0 } }] : lines;
}

/** A text as one line, without breaks. */
export function lineOf(text: string, { weight }: Style): Line {
  const paragraph = paragraphOf(printable(text, weight));
  return { paragraph, span: { start: 0, end: paragraph.text.length } };
}

/** Reduces the font size, down to SIZE_MIN, until every word fits `width`: a number broken in two would be misread. */
export function shrunk(document: Document, text: string, { style, width }: Measure): Style {
  const words = wordsOf(lineOf(text, style).paragraph);
  const widest = Math.max(0, ...words.map((word) => widthOf(document, word, style)));
  return widest <= width ? style : { ...style, size: Math.max(SIZE_MIN, (style.size * width) / widest) };
}

/**
 * Draws lines below each other, the first with its top at `y`. `is_followed`: text follows beside them, so the last
 * ends with a space.
 */
export function drawLines(
  document: Document,
  lines: readonly Line[],
  place: Measure & { x: number; y: number; align?: Alignment; is_followed?: boolean },
): void {
  const { style } = place;
  document.fillColor(style.color);
  for (const [index, line] of lines.entries()) {
    const slack = place.align === 'right' ? place.width - widthOf(document, line, style) : 0;
    const top = place.y + heightOf(lines.slice(0, index), style);
    const baseline = top + spacingOf(line).baseline * style.size;
    const is_last = index === lines.length - 1 && place.is_followed !== true;
    drawLine(document, visualRuns(line, style.weight, is_last), { style, x: place.x + slack, y: baseline });
  }
}

function drawLine(
  document: Document,
  runs: readonly Run[],
  { style, x: left, y }: { style: Style; x: number; y: number },
): void {
  let x = left;
  for (const run of runs) {
    const options = featuresOf(run);
    useFont(document, run.font, style.size).text(run.text, x, y, {
      ...options,
      lineBreak: false,
      baseline: 'alphabetic',
    });
    x += document.widthOfString(run.text, options);
  }
}

function widthOf(document: Document, line: Line, style: Style): number {
  return visualRuns(line, style.weight).reduce(
    (width, run) => width + useFont(document, run.font, style.size).widthOfString(run.text, featuresOf(run)),
    0,
  );
}

// Without a list of features, pdfkit shapes word by word from left to right; an empty list makes it shape the whole
// run.
function featuresOf({ is_shaped_whole }: Run): PDFKit.Mixins.TextOptions {
  return is_shaped_whole ? { features: [] } : {};
}

const registered = new WeakMap<Document, Set<string>>();

function useFont(document: Document, { name, bytes, layout }: NamedFont, size: number): Document {
  let names = registered.get(document);
  if (names === undefined) registered.set(document, (names = new Set()));
  if (names.has(name)) return document.font(name, size);
  names.add(name);
  document.registerFont(name, bytes).font(name, size);
  if (layout !== null) document._font.font.layout = layout;
  return document;
}

function wordsOf(paragraph: Paragraph): Line[] {
  return Array.from(paragraph.text.matchAll(/[^ ]+/g), ({ 0: word, index: start }) => ({
    paragraph,
    span: { start, end: start + word.length },
  }));
}

/** Signs of Burmese and Khmer that set the next letter below the one before. */
const STACKING = /[\u1039\u17d2]/;

function pieces(document: Document, word: Line, { style, width }: Measure): Line[] {
  if (widthOf(document, word, style) <= width) return [word];
  const { paragraph, span } = word;
  const parts: Line[] = [];
  let used = Infinity;
  for (const { segment, index } of characters.segment(paragraph.text.slice(span.start, span.end))) {
    const start = span.start + index;
    const part = { paragraph, span: { start, end: start + segment.length } };
    const needed = widthOf(document, part, style);
    const last = parts.at(-1);
    const is_stacked = STACKING.test(paragraph.text[start - 1] ?? '');
    if (last === undefined || (used + needed > width && !is_stacked)) {
      parts.push(part);
      used = needed;
    } else {
      last.span.end = part.span.end;
      used += needed;
    }
  }
  return parts;
}

/**
 * The runs of a line in visual order. A line that is not the last ends with a space, to separate words for copying and
 * screen readers.
 */
function visualRuns({ paragraph, span }: Line, weight: Weight, is_last = true): Run[] {
  const space = is_last ? '' : ' ';
  if (paragraph.embedding === null) {
    const text = paragraph.text.slice(span.start, span.end) + space;
    return [{ text, font: mainFont(weight), is_shaped_whole: false }];
  }
  const runs = stretchesOf(paragraph, span).flatMap((stretch) => runsOf(stretch, weight));
  return is_last ? runs : [...runs, { text: space, font: mainFont(weight), is_shaped_whole: false }];
}

function runsOf({ text, is_leftward }: DirectionalRun, weight: Weight): Run[] {
  const runs: { text: string; font: NamedFont }[] = [];
  for (const { segment } of characters.segment(text)) {
    const font = fontOf(segment, weight) ?? mainFont(weight);
    const last = runs.at(-1);
    if (last?.font === font) last.text += segment;
    else runs.push({ text: segment, font });
  }
  if (is_leftward) runs.reverse();
  return runs.map((run) => {
    const is_shaped_whole = isReversedByFont(run.text);
    return {
      ...run,
      text: is_shaped_whole === is_leftward ? run.text : backwards(run.text),
      is_shaped_whole,
    };
  });
}

function backwards(text: string): string {
  return Array.from(characters.segment(text), ({ segment }) => segment)
    .reverse()
    .join('');
}
