import assert from 'node:assert/strict';
import fc from 'fast-check';
import { windows1252 } from '../../../src/domain/invoice/windows-1252.ts';

const decoded = (text: string) =>
  new TextDecoder('windows-1252').decode(Buffer.from(windows1252(text), 'latin1'));

/** contract.md 9. */
describe('a text in Windows-1252', () => {
  const TEXTS: [text: string, read: string][] = [
    ['Öko & Söhne GmbH', 'Öko & Söhne GmbH'],
    ['100 € – “Šárka”', '100 € – “Šárka”'],
    ['Dvořák, Čapek', 'Dvorák, Capek'],
    ['Müller'.normalize('NFD'), 'Müller'],
    ['Łódź', '?ódz'],
    ['東京 Power', '?? Power'],
    ['🚀', '?'],
    ['x\u030c', 'x'],
    ['', ''],
  ];
  for (const [text, read] of TEXTS) it(`${text} is read as ${read}`, () => assert.equal(decoded(text), read));

  it('is there for every text, and keeps what it has', () => {
    const KEPT = Array.from({ length: 256 }, (_, byte) => byte)
      .filter((byte) => byte < 0x80 || byte > 0x9f)
      .map((byte) => String.fromCharCode(byte))
      .join('');
    assert.equal(decoded(KEPT), KEPT);
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const bytes = windows1252(text);
        assert.doesNotMatch(bytes, /[^\u0000-\u00ff]/);
        assert.equal(windows1252(decoded(text)), bytes);
      }),
    );
  });
});
