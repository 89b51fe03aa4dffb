import type { Font, GlyphRun } from 'fontkit';
import { Blob, Buffer as Shaped, ClusterLevel, Face, Font as ShapingFont, shape } from 'harfbuzzjs';

/** Lays a text out in one font: its glyphs in visual order and their places, in the units of the font. */
export type Layout = (text: string) => GlyphRun;

/**
 * The layout of a font by HarfBuzz, in the form of fontkit's, which pdfkit asks: fontkit does not reorder the vowels of
 * Burmese, and fails on some of Khmer.
 */
export function layoutOf(font: Font, bytes: Uint8Array): Layout {
  const shaping = new ShapingFont(new Face(new Blob(bytes)));
  return (text) => {
    const shaped = new Shaped();
    shaped.addText(text);
    shaped.guessSegmentProperties();
    // Each glyph keeps the place of its own letter.
    shaped.setClusterLevel(ClusterLevel.CHARACTERS);
    shape(shaping, shaped);
    const infos = shaped.getGlyphInfos();
    const letters = lettersOf(
      text,
      infos.map(({ cluster }) => cluster),
    );
    const positions = shaped.getGlyphPositions();
    return {
      direction: 'ltr',
      glyphs: infos.map(({ codepoint: id }, index) => font.getGlyph(id, letters[index]!)),
      positions,
      // pdfkit scales the positions in place and asks for the width afterwards.
      get advanceWidth() {
        return positions.reduce((width, { xAdvance }) => width + xAdvance, 0);
      },
    };
  };
}

/**
 * The letters that each glyph stands for, by the place of its first letter in the text; of several glyphs for one
 * letter, the first.
 */
function lettersOf(text: string, places: readonly number[]): number[][] {
  const starts = [...new Set(places)].sort((a, b) => a - b);
  const letters = new Map(
    starts.map((start, index) => [start, codePointsOf(text.slice(start, starts[index + 1]))]),
  );
  return places.map((place) => letters.get(place)!.splice(0));
}

function codePointsOf(text: string): number[] {
  return Array.from(text, (character) => character.codePointAt(0)!);
}
