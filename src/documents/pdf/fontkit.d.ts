/** The part of fontkit that we use. The package has no types. */
declare module 'fontkit' {
  export type Glyph = { id: number; advanceWidth: number; codePoints: number[] };
  export type GlyphPosition = { xAdvance: number; yAdvance: number; xOffset: number; yOffset: number };
  export type GlyphRun = {
    direction: string;
    glyphs: Glyph[];
    positions: GlyphPosition[];
    advanceWidth: number;
  };
  export type Font = {
    hasGlyphForCodePoint: (code_point: number) => boolean;
    getGlyph: (id: number, code_points: number[]) => Glyph;
    layout: (text: string) => GlyphRun;
  };
  export function create(bytes: Buffer): Font;
}
