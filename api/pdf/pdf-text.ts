import { fontOf, mainFont, type NamedFont, type Weight } from './pdf-fonts.ts';

export type Document = PDFKit.PDFDocument;
/** `size` is in points. */
export type Style = { weight: Weight; size: number; color: string };
export type Alignment = 'left' | 'right';

/** Part of a line in one font. What runs to the left is shaped as a whole, and by its font from its end to its start. */
type Run = { text: string; font: NamedFont; is_shaped_whole: boolean };

const LINE_HEIGHT = 1.35;
const BASELINE = 1.02;
const SUBSTITUTE = '\ufffd';
const MARKS_MAX = 3;
const SIZE_MIN = 4;

const EASY = /^[\x20-\x7e\u00a0-\u017f]*$/;
const RIGHT_TO_LEFT =
  '(?=\\p{L})[\\p{Script=Hebrew}\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Thaana}\\p{Script=Nko}]';
const HAS_RIGHT_TO_LEFT = new RegExp(RIGHT_TO_LEFT, 'u');
/** From a letter that runs to the left to the last one before other letters, or the number or bracket after it. */
const STRETCH = new RegExp(
  `(${RIGHT_TO_LEFT}(?:\\P{L}|${RIGHT_TO_LEFT})*(?<=[\\p{L}\\p{M}\\p{N}])\\p{Pe}*)`,
  'u',
);
const NUMBER = /(\p{N}+(?:[.,:/]\p{N}+)*)/u;
const MIRRORED: Record<string, string> = { '(': ')', ')': '(', '[': ']', ']': '[', '<': '>', '>': '<' };

const characters = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** Height of so many lines, in points. */
export function heightOf(lines: readonly string[], { size }: Style): number {
  return lines.length * size * LINE_HEIGHT;
}

/** A text in lines that fit a width, broken between words, and inside one only where it is wider than that. */
export function wrap(document: Document, text: string, style: Style, width: number): string[] {
  const space = widthOf(document, ' ', style);
  const lines: string[] = [];
  let line: string[] = [];
  let used = 0;
  for (const word of printable(text)
    .split(' ')
    .flatMap((whole) => pieces(document, whole, style, width))) {
    const needed = widthOf(document, word, style);
    if (line.length > 0 && used + space + needed > width) {
      lines.push(line.join(' '));
      line = [];
    }
    used = line.length === 0 ? needed : used + space + needed;
    line.push(word);
  }
  return [...lines, line.join(' ')];
}

/** Small enough for every word to fit a width, down to a limit: a number in two parts would be read as another. */
export function shrunk(document: Document, text: string, style: Style, width: number): Style {
  const widest = Math.max(
    ...printable(text)
      .split(' ')
      .map((word) => widthOf(document, word, style)),
  );
  return widest <= width ? style : { ...style, size: Math.max(SIZE_MIN, (style.size * width) / widest) };
}

/** Draws lines below each other, the first with its top at y. */
export function drawLines(
  document: Document,
  lines: readonly string[],
  style: Style,
  place: { x: number; y: number; width: number; align?: Alignment },
): void {
  document.fillColor(style.color);
  for (const [index, line] of lines.entries()) {
    const slack = place.align === 'right' ? place.width - widthOf(document, line, style) : 0;
    const baseline = place.y + (index * LINE_HEIGHT + BASELINE) * style.size;
    // The space is for who copies the text or has it read aloud.
    const text = index === lines.length - 1 ? line : `${line} `;
    drawLine(document, text, style, { x: place.x + slack, y: baseline });
  }
}

function drawLine(document: Document, line: string, style: Style, at: { x: number; y: number }): void {
  let { x } = at;
  for (const run of visualRuns(line, style.weight)) {
    const options = featuresOf(run);
    useFont(document, run.font, style.size).text(run.text, x, at.y, {
      ...options,
      lineBreak: false,
      baseline: 'alphabetic',
    });
    x += document.widthOfString(run.text, options);
  }
}

function widthOf(document: Document, line: string, style: Style): number {
  return visualRuns(line, style.weight).reduce(
    (width, run) => width + useFont(document, run.font, style.size).widthOfString(run.text, featuresOf(run)),
    0,
  );
}

// Without a list of features pdfkit shapes word by word, from left to right.
function featuresOf({ is_shaped_whole }: Run): PDFKit.Mixins.TextOptions {
  return is_shaped_whole ? { features: [] } : {};
}

const registered = new WeakMap<Document, Set<string>>();

function useFont(document: Document, { name, bytes }: NamedFont, size: number): Document {
  let names = registered.get(document);
  if (names === undefined) registered.set(document, (names = new Set()));
  if (!names.has(name)) document.registerFont(name, bytes);
  names.add(name);
  return document.font(name, size);
}

/** What is printed of a text: no control characters, no marks of direction, no towers of accents. */
function printable(text: string): string {
  return text
    .normalize('NFC')
    .replaceAll(/(?![\u200c\u200d])[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu, '')
    .replaceAll(/[\p{Cc}\p{Z}]+/gu, ' ')
    .replaceAll(new RegExp(`(\\p{M}{${MARKS_MAX}})\\p{M}+`, 'gu'), '$1')
    .trim();
}

function pieces(document: Document, word: string, style: Style, width: number): string[] {
  if (widthOf(document, word, style) <= width) return [word];
  const parts: string[] = [];
  let part = '';
  let used = 0;
  for (const { segment } of characters.segment(word)) {
    const needed = widthOf(document, segment, style);
    if (part !== '' && used + needed > width) {
      parts.push(part);
      part = '';
      used = 0;
    }
    part += segment;
    used += needed;
  }
  return [...parts, part];
}

/**
 * The runs of a line from left to right, in a paragraph that runs to the right: of UAX 9 what a text without marks of direction
 * needs. A stretch of words that run to the left is turned around, the numbers in it are not.
 */
function visualRuns(line: string, weight: Weight): Run[] {
  if (EASY.test(line)) return [{ text: line, font: mainFont(weight), is_shaped_whole: false }];
  return line.split(STRETCH).flatMap((text, index) => {
    if (index % 2 === 0) return runsOf(text, weight, false);
    return text
      .split(NUMBER)
      .flatMap((part, place) => (place % 2 === 1 ? runsOf(part, weight, false) : leftward(part, weight)))
      .reverse();
  });
}

/** In the order of reading; whoever asked turns the runs around. */
function leftward(text: string, weight: Weight): Run[] {
  const mirrored = Array.from(text, (character) => MIRRORED[character] ?? character);
  if (HAS_RIGHT_TO_LEFT.test(text)) return runsOf(mirrored.join(''), weight, true);
  return runsOf(mirrored.reverse().join(''), weight, false);
}

function runsOf(text: string, weight: Weight, is_shaped_whole: boolean): Run[] {
  const runs: Run[] = [];
  for (const { segment } of characters.segment(text)) {
    const found = fontOf(segment, weight);
    const font = found ?? mainFont(weight);
    const character = found === null ? SUBSTITUTE : segment;
    const last = runs.at(-1);
    if (last?.font === font) last.text += character;
    else runs.push({ text: character, font, is_shaped_whole });
  }
  return runs;
}
