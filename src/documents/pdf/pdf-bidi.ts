import bidiFactory, { type Embedding } from 'bidi-js';

/**
 * A text and its embedding levels by UAX 9, the bidirectional algorithm; `embedding` is null if all of it runs left to
 * right.
 */
export type Paragraph = { text: string; embedding: Embedding | null };

/** A half-open range of a paragraph, in UTF-16 units. */
export type Span = { start: number; end: number };

/** A part of a line in one direction. Its characters are in reading order; its brackets are mirrored already. */
export type DirectionalRun = { text: string; is_leftward: boolean };

const bidi = bidiFactory();

const NEEDS_NO_WORK = /^[\x20-\x7e\u00a0-\u017f]*$/;
/** Unicode isolates: they set the direction of a name within a sentence and are not printed. */
const ISOLATES = /[\u2066-\u2069]/g;

/** Computes the levels. The first letter with a direction, outside isolates, sets the direction of the paragraph. */
export function paragraphOf(text: string): Paragraph {
  return { text, embedding: NEEDS_NO_WORK.test(text) ? null : bidi.getEmbeddingLevels(text) };
}

/** Splits a line into its stretches, in visual order from left to right. */
export function stretchesOf({ text, embedding }: Paragraph, { start, end }: Span): DirectionalRun[] {
  if (embedding === null) return [{ text: text.slice(start, end), is_leftward: false }];
  const { levels } = embedding;
  const stretches: Span[] = [];
  for (const place of visualOrder(text, embedding, { start, end })) {
    const last = stretches.at(-1);
    if (last !== undefined && levels[place]! % 2 === levels[last.start]! % 2) {
      if (levels[place]! % 2 === 1 && place === last.start - 1) {
        last.start = place;
        continue;
      }
      if (levels[place]! % 2 === 0 && place === last.end) {
        last.end = place + 1;
        continue;
      }
    }
    stretches.push({ start: place, end: place + 1 });
  }
  return stretches.map((span) => stretchOf(text, span, levels[span.start]! % 2 === 1));
}

function stretchOf(text: string, { start, end }: Span, is_leftward: boolean): DirectionalRun {
  const printed = text.slice(start, end).replaceAll(ISOLATES, '');
  if (!is_leftward) return { text: printed, is_leftward };
  const turned = Array.from(printed, (character) => bidi.getMirroredCharacter(character) ?? character);
  return { text: turned.join(''), is_leftward };
}

/** Indexes in the text of a line's UTF-16 units, in visual order from left to right. */
function visualOrder(text: string, embedding: Embedding, { start, end }: Span): number[] {
  const order = Array.from({ length: end - start }, (_, place) => start + place);
  for (const [from, to] of bidi.getReorderSegments(text, embedding, start, end - 1)) {
    const turned = order.slice(from - start, to - start + 1).reverse();
    order.splice(from - start, turned.length, ...turned);
  }
  return order;
}
