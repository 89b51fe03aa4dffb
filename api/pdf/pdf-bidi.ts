import bidiFactory, { type Embedding } from 'bidi-js';

/** A text that is set as a whole; `embedding` has the levels of UAX 9, null where everything runs to the right. */
export type Paragraph = { text: string; embedding: Embedding | null };

/** A part of a paragraph, in UTF-16 units. */
export type Span = { start: number; end: number };

/** A part of a line in one direction, in the order of reading, with brackets turned the way that they are printed. */
export type Stretch = { text: string; is_leftward: boolean };

const bidi = bidiFactory();

const EASY = /^[\x20-\x7e\u00a0-\u017f]*$/;
/** They say how a name stands in a sentence, and are not printed. */
const ISOLATES = /[\u2066-\u2069]/g;

/** A paragraph runs the way of its first letter that has one, names inside of isolates left out. */
export function paragraphOf(text: string): Paragraph {
  return { text, embedding: EASY.test(text) ? null : bidi.getEmbeddingLevels(text) };
}

/** The stretches of a line from left to right, as they are seen. */
export function stretchesOf({ text, embedding }: Paragraph, { start, end }: Span): Stretch[] {
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

function stretchOf(text: string, { start, end }: Span, is_leftward: boolean): Stretch {
  const printed = text.slice(start, end).replaceAll(ISOLATES, '');
  if (!is_leftward) return { text: printed, is_leftward };
  const turned = Array.from(printed, (character) => bidi.getMirroredCharacter(character) ?? character);
  return { text: turned.join(''), is_leftward };
}

/** Where the units of a line stand in the text, from left to right. */
function visualOrder(text: string, embedding: Embedding, { start, end }: Span): number[] {
  const order = Array.from({ length: end - start }, (_, place) => start + place);
  for (const [from, to] of bidi.getReorderSegments(text, embedding, start, end - 1)) {
    const turned = order.slice(from - start, to - start + 1).reverse();
    order.splice(from - start, turned.length, ...turned);
  }
  return order;
}
