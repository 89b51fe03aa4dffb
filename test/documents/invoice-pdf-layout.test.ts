import assert from 'node:assert/strict';
import { invoicePdf } from '../../src/documents/pdf/invoice-pdf.ts';
import { fontOf } from '../../src/documents/pdf/pdf-fonts.ts';
import { printable } from '../../src/documents/pdf/pdf-printable.ts';
import {
  aBilledCustomer,
  aLine,
  aPrintedInvoice as printed,
  aSeller,
  type Line,
  type Parts,
} from '../support/documents/printed-invoice.ts';
import { pagesOf, partsOf, usePoppler, wordsOf, type Word } from '../support/documents/pdf.ts';

const LEFT = 48;
const RIGHT = 547;

const HEAD = 'Description | Quantity | Credit used | Unit price | Amount (USD)';
/** A row of a tier, whose charge is not known. */
const TIER = /^(up to \d+|all) \| /;
const LINES = 100;
const TIERS = 20;

describe('the pages of an invoice', () => {
  usePoppler();

  describe(`with ${LINES} lines of ${TIERS} tiers`, () => {
    let pages: string[][];
    before(async () => {
      const tiers = Array.from({ length: TIERS }, (_, tier) => ({
        up_to: tier === TIERS - 1 ? null : `${tier + 1}`,
        ...{ quantity: '1', unit_amount: '0.1', flat_amount: '0.00', amount: `${tier}.10` },
      }));
      const lines = Array.from({ length: LINES }, (_, line) =>
        aLine({ description: `Line ${line}.${' word'.repeat(line)}`, tiers }),
      );
      pages = await pagesOf(await invoicePdf(printed(lines)));
    });

    it('are numbered, and begin with the header of the table', () => {
      assert.ok(pages.length > 40);
      for (const [index, page] of pages.entries()) {
        assert.equal(page.at(-1), `Seller, invoice INV-000001 | Page ${index + 1} of ${pages.length}`);
        assert.ok(index === 0 ? page.includes(HEAD) : page[0] === HEAD, page[0]);
        assert.equal(page.filter((line) => line === HEAD).length, 1, 'one head a page');
      }
    });

    it('have every line once, with all its tiers', () => {
      const all = pages.flat();
      const said = all.flatMap((line) => /^Line (\d+)\./.exec(line)?.[1] ?? []);
      assert.deepEqual(
        said,
        Array.from({ length: LINES }, (_, line) => `${line}`),
      );
      for (let tier = 0; tier < TIERS; tier++)
        assert.equal(all.filter((line) => line.endsWith(` | 0.10 | ${tier}.10`)).length, LINES, `${tier}`);
    });

    it('have no line at the end without its tiers, and no tier at the top without its line', () => {
      for (const page of pages) {
        const rows = page.slice(0, -1);
        assert.doesNotMatch(rows.at(-1)!, /^(Lines?|Description|Sums)/);
        assert.doesNotMatch(rows[1]!, TIER);
      }
    });
  });

  it('tag headings, paragraphs and cells for screen readers', async () => {
    const told = await partsOf(await invoicePdf(printed([aLine({ description: 'a b '.repeat(40) })])));
    assert.deepEqual(told.slice(0, 7), [
      'P: Seller',
      'P: Billed to',
      'P: customer',
      'H1: Invoice',
      'P: Amount due 1.00 USD',
      'P: Due 1 February 2026',
      'P: Number INV-000001',
    ]);
    for (const part of [
      'TH: Description',
      `TD: ${'a b '.repeat(40).trim()}`,
      'TD: Amount due',
      'TD: 1.00 USD',
    ])
      assert.ok(told.includes(part), told.join('\n'));
  });

  const LONG = 'W'.repeat(300);
  const NAME = 'W'.repeat(255);
  const LONG_ADDRESS = {
    ...{ line1: NAME, line2: NAME, postal_code: NAME, city: NAME, state: NAME },
    country: 'GB',
  };
  const HOSTILE: [name: string, parts: Parts, line: Partial<Line>][] = [
    ['a description without a space', {}, { description: LONG }],
    ['wide and narrow words', {}, { description: `${LONG} ${'i'.repeat(300)} ${'mi '.repeat(80)}` }],
    ['marks of direction', {}, { description: `\u202e\u2067${'evil.exe '.repeat(20)}\u200f` }],
    ['control characters', {}, { description: 'a\u0000b\u0007c\u001b[31md\u0085e\u2028f\ud800g' }],
    ['a tower of accents', {}, { description: `a${'\u0301'.repeat(200)}` }],
    ['a quantity of 60 digits', {}, { quantity: '9'.repeat(60), amount: `${'9'.repeat(40)}.99` }],
    ['Hebrew and numbers', {}, { description: 'חברה 1,000 (שלום) '.repeat(20) }],
    [
      'long names',
      {
        seller: aSeller({ name: NAME, address: LONG_ADDRESS, footer: `${LONG} `.repeat(30) }),
        customer: aBilledCustomer({ external_id: NAME, name: NAME, email: NAME, address: LONG_ADDRESS }),
      },
      {},
    ],
  ];
  for (const [name, parts, line] of HOSTILE) {
    it(`${name}: nothing leaves its column`, async () => {
      const words = await wordsOf(await invoicePdf(printed([aLine(line)], parts)));
      assert.ok(words.length > 20);
      const outside = words.filter(({ left, right }) => left < LEFT - 1 || right > RIGHT + 1);
      assert.deepEqual(outside, []);
      const overlapping = words.filter((word, place) =>
        words.slice(place + 1).some((other) => areOverOneAnother(word, other)),
      );
      assert.deepEqual(overlapping, []);
    });
  }

  const CHINESE = fontOf('中', 'regular') !== null;
  const KOREAN = fontOf('한', 'regular') !== null;
  const TEXTS: [text: string, printed: string][] = [
    ['Ελληνικά Ωμέγα', 'Ελληνικά Ωμέγα'],
    ['Кириллица Ђ ґ', 'Кириллица Ђ ґ'],
    ['Tie\u0302\u0301ng Việt Nguyễn', 'Tiếng Việt Nguyễn'],
    ['zł ₹ ₺ € £ ¥ ₩ ₽ ₴', 'zł ₹ ₺ € £ ¥ ₩ ₽ ₴'],
    ['שלום עולם', 'שלום עולם'],
    // Left to right: the word read last, the number, the word read first.
    ['שלום 12,345 עולם', 'עולם 12,345 שלום'],
    ['شركة المثال', 'شركة المثال'],
    ['東京 株式会社', CHINESE ? '東京 株式会社' : codesOf('東京 株式会社')],
    ['한국', KOREAN ? '한국' : codesOf('한국')],
    ['a 🫠 b', 'a [U+1FAE0] b'],
    ['ที่', 'ที่'],
    ['👩‍👩‍👧', codesOf('👩👩👧')],
    // The text that pdftotext extracts; on the page, the brackets enclose the word.
    ['Delta Foods (بيروت) SAL', 'Delta Foods ()بيروت SAL'],
    ['شركة ABC للتجارة', 'للتجارة ABC شركة'],
    ['خدمة ١٢٣', '١٢٣ خدمة'],
    ['\u2068חברה\u2069: 64, 1 of 2', 'חברה: 64, 1 of 2'],
    ['a\u0000b\u0007c\u2028d\u202ee\u200ff', 'a b c def'],
    [`e${'\u0301'.repeat(50)}`, 'é\u0301\u0301\u0301'],
  ];
  for (const [text, says] of TEXTS) {
    it(`${JSON.stringify(text.slice(0, 20))} is printed as ${says}`, async () => {
      const pages = await pagesOf(await invoicePdf(printed([aLine({ description: text })])));
      // pdftotext adds direction marks around right-to-left text and omits some spaces.
      const plain = (line: string) => line.replaceAll(/[\u202a-\u202e ]/g, '');
      assert.ok(
        pages
          .flat()
          .map(plain)
          .includes(plain(`${says}|1|1.00`)),
        pages.flat().join('\n'),
      );
    });
  }

  it('print the code of each character without a font, however many there are', () => {
    assert.equal(printable('🫠'.repeat(255), 'regular'), '[U+1FAE0]'.repeat(255));
  });

  it('print the same text, whatever was printed before', async () => {
    const nameOnly = (name: string) => printed([], { customer: aBilledCustomer({ name }) });
    await invoicePdf(nameOnly('ÉÀÇÑÖŁ'));
    const text = (await pagesOf(await invoicePdf(nameOnly('EACNOL SEPA')))).flat();
    assert.ok(
      text.some((line) => line.includes('EACNOL SEPA')),
      text.join('\n'),
    );
  });
});

/** The text as printed if no font has its characters. */
function codesOf(text: string): string {
  return text.replaceAll(
    /[^ ]/gu,
    (part) => `[U+${part.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}]`,
  );
}

function areOverOneAnother(a: Word, b: Word): boolean {
  if (a.page !== b.page) return false;
  const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  // The boxes of adjacent lines touch.
  return width > 1 && height > (a.bottom - a.top) / 3;
}
