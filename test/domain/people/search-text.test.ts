import assert from 'node:assert/strict';
import fc from 'fast-check';
import { patternsOf, searchTextOf } from '../../../src/domain/people/search-text.ts';

const textOf = (name: string) => searchTextOf({ external_id: 'x', name, email: null });
/** The pattern of the words that a customer of this name matches: 0 its whole name, 1 its beginning, 2 a part, 3 each word; -1 none. */
const match = (words: string, name: string) =>
  patternsOf(words).findIndex((pattern) => pattern.every((part) => textOf(name).includes(part)));

describe('the search text of a customer', () => {
  it('has its fields between line breaks, without case and accents', () => {
    const names = { external_id: 'C-1\n2', name: '  Öko   GmbH ', email: 'A@b.example' };
    assert.equal(searchTextOf(names), '\noko gmbh\na@b.example\nc-1 2\n');
    assert.equal(searchTextOf({ external_id: 'C', name: null, email: null }), '\nc\n');
  });

  const MATCHES: [words: string, name: string, pattern: number][] = [
    ['東京電力', '東京電力', 0],
    ['東京', '東京電力', 1],
    ['電', '東京電力', 2],
    ['東電', '東京電力', -1],
    ['بيروت', 'شركة بيروت', 2],
    ['ÖKO', 'Öko', 0],
    ['oko', 'Öko', 0],
    ['öko', 'Okö Süd', 1],
    ['STRASSE', 'Straße', 0],
    ['straße', 'STRASSE', 0],
    ['οδοσ', 'ΟΔΟΣ', 0],
    ['ΟΔΟΣ', 'οδοσαμου', 1],
    ['istanbul', 'İSTANBUL', 0],
    ['елка', 'Ёлка', 0],
    ['ｶﾞｽ', 'ガス', 0],
    ['カス', 'ガス', -1],
    ['부산', '서울 부산', 2],
    ['gmbh  süd', 'Öko GmbH Süd', 2],
    ['GmbH\tSüd', 'Öko GmbH Süd', 2],
    ['lodz', 'Łódź', 0],
    ['Łódź', 'LODZ', 0],
    ['sorensen', 'Sørensen', 0],
    ['dordevic', 'Đorđević', 0],
    ['gudrun', 'Guðrún', 0],
    ['aero', 'Ærø', 0],
    ['AERØ', 'Ǽrø', 0],
    ['coeur', 'Cœur', 0],
    ['sıla', 'SILA', 0],
    ["o'brien", 'O’Brien', 0],
    ['O´Brien', 'OʼBrien', 0],
    ['o`brien', 'O‘BRIEN', 0],
    ["o'brien", 'O＇Brien', 0],
    ['saint-gobain', 'Saint\u2010Gobain', 0],
    ['saint\u2011gobain', 'Saint–Gobain', 0],
    ['saint-gobain', 'Saint−Gobain', 0],
    ['donaudampf', 'Donau\u00addampf', 0],
    ['john smith', 'Smith, John', 3],
    ['smith, john', 'John Smith', 3],
    ['Süd öko', 'Öko GmbH Süd', 3],
    ['jo smi', 'Smith, John', 3],
    ['john x', 'Smith, John', 3],
    ['john smyth', 'Smith, John', -1],
    ['smith,', 'Smith', 3],
    [',', 'Smith', -1],
    ['%', 'Acme', -1],
    ['\u0301', 'Acme', -1],
  ];
  for (const [words, name, pattern] of MATCHES)
    it(`${words} and ${name}: ${pattern}`, () => assert.equal(match(words, name), pattern));

  it('of a name is found by each part of it, in upper and in lower case', () => {
    const names = fc.array(fc.constantFrom(...'aÄßΣςİıЁ東ب 서0-'), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(names, fc.nat(), fc.nat(), (letters, from, length) => {
        const part = letters.slice(from % letters.length).slice(0, 1 + (length % 5));
        fc.pre(part.join('').trim() !== '');
        for (const words of [part, part.map((l) => l.toUpperCase()), part.map((l) => l.toLowerCase())])
          assert.notEqual(match(words.join(''), letters.join('')), -1);
      }),
    );
  });
});
