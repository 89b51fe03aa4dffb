/** The part of fontkit that we use. The package has no types. */
declare module 'fontkit' {
  export type Font = {
    hasGlyphForCodePoint: (code_point: number) => boolean;
    layout: (text: string) => { direction: string };
  };
  export function create(bytes: Buffer): Font;
}
