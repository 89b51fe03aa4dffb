import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { paragraphOf, stretchesOf } from '../../src/documents/pdf/pdf-bidi.ts';
import { fontOf, isReversedByFont, mainFont } from '../../src/documents/pdf/pdf-fonts.ts';
import { isolated } from '../../src/domain/money/isolated.ts';
import { useFile } from '../support/servers/debian.ts';

/** Samples of the Unicode Character Database: text, requested direction (2: detect it), and visual order. */
const SAMPLES = '/usr/share/unicode/BidiCharacterTest.txt';
/** Direction marks, joiners and controls, which are not visible. */
const MARKS = /[\p{Cf}\p{Cc}]/gu;

describe('the direction of a text on an invoice', () => {
  useFile(SAMPLES, 'unicode-data');

  it('matches the samples of Unicode', function () {
    let tried = 0;
    for (const line of readFileSync(SAMPLES, 'utf8').split('\n')) {
      if (line === '' || line.startsWith('#')) continue;
      const [codes, , level, levels, order] = line.split(';');
      const text = String.fromCodePoint(...codes!.split(' ').map((code) => parseInt(code, 16)));
      // Invoices detect the direction, and their texts contain no paragraph separator.
      if (text.includes('\u2029') || levelOf(text) !== Number(level)) continue;
      tried += 1;
      const expected = order === '' ? [] : order!.split(' ').map(Number);
      assert.equal(seen(text), printed(Array.from(text), levels!.split(' '), expected), line);
    }
    assert.ok(tried > 40_000, `${tried}`);
  });

  const TEXTS: [text: string, seen: string][] = [
    ['Delta Foods (בירות) SAL', 'Delta Foods (תוריב) SAL'],
    ['שלום ABC (עולם)', '(םלוע) ABC םולש'],
    ['Delta Foods (بيروت) SAL', 'Delta Foods (توريب) SAL'],
    ['شركة بيروت (SAL)', '(SAL) توريب ةكرش'],
    ['חברה 1,000', '1,000 הרבח'],
    [`${isolated('חברה')}: 64, 1 of 2`, 'הרבח: 64, 1 of 2'],
    [`${isolated('\u202eabc\u2067')}: 64`, 'abc: 64'],
  ];
  for (const [text, expected] of TEXTS)
    it(`${text.startsWith('Delta') ? 'D1: ' : ''}${text} is seen as ${expected}`, () =>
      assert.equal(seen(text), expected));

  it('is reversed by a font exactly for the characters of isReversedByFont', () => {
    const { font } = mainFont('regular');
    for (let code = 0x20; code < 0x10000; code++) {
      const character = String.fromCodePoint(code);
      if (/\p{Cs}|\p{Cc}/u.test(character) || fontOf(character, 'regular') !== mainFont('regular')) continue;
      const { direction } = font.layout(character);
      assert.equal(direction === 'rtl', isReversedByFont(character), `U+${code.toString(16)}`);
    }
  });
});

function levelOf(text: string): number {
  return paragraphOf(text).embedding?.paragraphs[0]?.level ?? 0;
}

/** The text in visual order, left to right, with brackets mirrored. */
function seen(text: string): string {
  return stretchesOf(paragraphOf(text), { start: 0, end: text.length })
    .map(({ text: stretch, is_leftward }) => (is_leftward ? Array.from(stretch).reverse().join('') : stretch))
    .join('')
    .replaceAll(MARKS, '');
}

function printed(characters: readonly string[], levels: readonly string[], order: readonly number[]): string {
  const turned = order.map((place) => {
    const character = characters[place]!;
    return Number(levels[place]) % 2 === 1 ? (MIRRORED[character] ?? character) : character;
  });
  return turned.join('').replaceAll(MARKS, '');
}

/** Brackets of the samples that are mirrored. */
const MIRRORED: Readonly<Record<string, string>> = {
  ...{ '(': ')', ')': '(', '[': ']', ']': '[', '{': '}', '}': '{', '<': '>', '>': '<', '«': '»', '»': '«' },
  ...{ '\u2329': '\u232a', '\u232a': '\u2329', '\u3008': '\u3009', '\u3009': '\u3008' },
};
