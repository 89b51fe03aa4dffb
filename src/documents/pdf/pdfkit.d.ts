import type { Font } from 'fontkit';

declare global {
  namespace PDFKit {
    interface PDFDocument {
      /** The font in use: the parsed font that pdfkit lays texts out by. */
      _font: { font: Font };
    }
  }
}
