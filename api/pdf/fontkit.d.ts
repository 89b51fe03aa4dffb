/** What we use of fontkit, which comes without types. */
declare module 'fontkit' {
  export type Font = {
    hasGlyphForCodePoint: (code_point: number) => boolean;
    layout: (text: string) => { direction: string };
  };
  export function create(bytes: Buffer): Font;
}

declare namespace PDFKit.Mixins {
  interface PDFFont {
    /** A font that is read already; the types know of files and bytes alone. */
    registerFont(name: string, font: import('fontkit').Font): this;
  }
}
