import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  fill,
  fillSubject,
  PLACEHOLDERS,
  unknownPlaceholdersOf,
  type PlaceholderValues,
} from '../../../src/domain/email/placeholders.ts';

const VALUES: PlaceholderValues = {
  customer: 'Acme',
  company: 'Tidemark',
  number: 'INV-1',
  total: '12.00',
  amount_due: null,
  due_date: null,
  invoices: 'INV-1',
  method: null,
  link: 'https://a.b',
};

const aValue = fc
  .string({ unit: fc.constantFrom(...'aZ {}$&\\1é'), minLength: 1 })
  .map((text) => `x${text}x`);
const someValues = fc.record(
  Object.fromEntries(PLACEHOLDERS.map((name) => [name, fc.option(aValue)])) as Record<
    (typeof PLACEHOLDERS)[number],
    fc.Arbitrary<string | null>
  >,
);
const aLine = fc.array(
  fc.oneof(
    fc.constantFrom(...PLACEHOLDERS).map((name) => ({ name })),
    fc.constantFrom('word', ' ', '$&', '}', 'é'),
  ),
  { maxLength: 6 },
);

describe('placeholders', () => {
  const UNKNOWN: [text: string, unknown: string[]][] = [
    ['Dear {customer}', []],
    ['{total}{number}', []],
    ['{Total} {sum} {sum}', ['{Total}', '{sum}']],
    ['{ total } {} {{number}}', ['{ total }', '{}']],
    ['{constructor} {__proto__}', ['{constructor}', '{__proto__}']],
    ['a { b', []],
    ['{a\nb}', []],
  ];
  for (const [text, unknown] of UNKNOWN)
    it(`${JSON.stringify(text)}: unknown are ${unknown.join(' ') || 'none'}`, () =>
      assert.deepEqual(unknownPlaceholdersOf(text), unknown));

  it('a line with one that has no value is left out, and its gap too', () => {
    assert.equal(fill('A {customer}\n\nDue {due_date}\n{number} {method}\n\nB', VALUES), 'A Acme\n\nB');
    assert.equal(fill('{method}', VALUES), '');
  });

  it('a subject keeps its one line, without gaps', () => {
    assert.equal(
      fillSubject('Bill {number} {due_date} from  {company} ', VALUES),
      'Bill INV-1 from Tidemark',
    );
    assert.equal(fillSubject('{company}', { ...VALUES, company: 'a\r\nBcc: b@c.d' }), 'a Bcc: b@c.d');
  });

  it('any text is filled once, value by value, whatever the values contain', () => {
    fc.assert(
      fc.property(someValues, fc.array(aLine, { maxLength: 5 }), (values, lines) => {
        const text = lines.map((line) => line.map((part) => textOfPart(part)).join('')).join('\n');
        const kept = lines
          .filter((line) => line.every((part) => typeof part === 'string' || values[part.name] !== null))
          .map((line) => line.map((part) => (typeof part === 'string' ? part : values[part.name])).join(''));
        assert.equal(
          fill(text, values),
          kept
            .join('\n')
            .replace(/\n{3,}/g, '\n\n')
            .trim(),
        );
      }),
    );
  });
});

function textOfPart(part: string | { name: string }): string {
  return typeof part === 'string' ? part : `{${part.name}}`;
}
