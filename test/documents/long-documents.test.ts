import assert from 'node:assert/strict';
import { creditNotePdf } from '../../src/documents/pdf/credit-note-pdf.ts';
import { invoicePdf } from '../../src/documents/pdf/invoice-pdf.ts';
import { printable } from '../../src/documents/pdf/pdf-printable.ts';
import type { CreditNote } from '../../src/objects/credit-note.ts';
import { aBilledCustomer, aLine, aPrintedInvoice, aSeller } from '../support/documents/printed-invoice.ts';
import { pagesOf, partsOf, usePoppler, wordsOf } from '../support/documents/pdf.ts';

const LEFT = 48;
const RIGHT = 547;
const PAGE_BOTTOM = 841.89 - 48;
const TEXT_MAX = 255;

/** A text of the greatest length that no other text contains. */
type Filled = (name: string, length?: number) => string;

const filledWith =
  (filler: string): Filled =>
  (name, length = TEXT_MAX) =>
    Array.from(`${name} ${filler.repeat(length)}`)
      .slice(0, length)
      .join('')
      .trim();

/** Fillers that are wide, that have no blank, that run to the left, and that no font has. */
const SCRIPTS: [script: string, filler: string][] = [
  ['words', 'Wide Words '],
  ['letters without a blank', 'W'],
  ['Hebrew', 'שלום '],
  ['Chinese', '電力'],
  ['Thai', 'สวัสดี'],
  ['characters without a font', '🫠'],
];

const TYPES = ['eu_vat', 'gb_vat', 'ch_uid', 'us_ein', 'other'] as const;

/** Seller and customer with every text at its longest, and all these texts. */
function partiesOf(filled: Filled) {
  const partyOf = (who: string) => ({
    name: filled(`${who} name`),
    address: {
      line1: filled(`${who} line1`, 120),
      line2: filled(`${who} line2`, 120),
      postal_code: filled(`${who} code`),
      city: filled(`${who} city`),
      state: filled(`${who} state`),
      country: 'GB',
    },
    tax_ids: TYPES.map((type) => ({ type, value: filled(`${who} ${type}`, 50) })),
  });
  const seller = aSeller({ ...partyOf('seller'), footer: filled('seller footer', 1000) });
  const customer = aBilledCustomer({
    ...partyOf('customer'),
    external_id: filled('customer id'),
    email: filled('customer email', 254),
    buyer_reference: filled('customer reference'),
  });
  const texts = [seller, customer].flatMap(({ name, address, tax_ids }) => [
    name!,
    ...[address!.line1!, address!.line2!, address!.postal_code!, address!.city!, address!.state!],
    ...tax_ids.map(({ value }) => value),
  ]);
  const { external_id, email, buyer_reference } = customer;
  return { seller, customer, texts: [...texts, external_id, email!, buyer_reference!, seller.footer!] };
}

function aCreditNote(parts: Pick<CreditNote, 'seller' | 'customer' | 'reason' | 'lines'>): CreditNote {
  const AT = '2026-02-01T00:00:00.000Z';
  return {
    ...{ id: 'cn_1', object: 'credit_note', livemode: false, created_at: AT, number: 'CN-000001' },
    ...{ status: 'void', automatic: false, invoice_id: 'inv_1', invoice_number: `${'P'.repeat(20)}000001` },
    ...{ customer_id: 'customer', currency: 'USD', timezone: 'America/Argentina/ComodRivadavia' },
    ...{ subtotal: '1.00', total: '1.00', to_invoice: '0.50', to_balance: '0.25', outside: '0.25' },
    tax: { rate: '0', amount: '0.00', treatment: 'standard', note: null },
    ...{
      issued_at: AT,
      sent_at: null,
      created_by: 'key_1',
      voided_at: AT,
      void_reason: null,
      voided_by: 'key_1',
    },
    ...parts,
  };
}

/** How often each letter is in a text. */
function countsOf(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const letter of plain(text)) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  return counts;
}

const plain = (text: string) => text.replaceAll(/[\s\u202a-\u202e\u2066-\u2069\u00a0]/gu, '');

describe('a document with every text at its longest', () => {
  usePoppler();

  /** `parted` are texts of a table, whose rows go on on the next page. */
  async function assertReadable(
    pdf: Buffer,
    texts: readonly string[],
    parted: readonly string[] = [],
  ): Promise<void> {
    const told = (await partsOf(pdf)).join('\n');
    const printed = texts.map((text) => printable(text, 'regular'));
    const there = countsOf(told);
    const all = [...printed, ...parted.map((text) => printable(text, 'regular'))];
    const missing = [...countsOf(all.join(''))].filter(([letter, count]) => (there.get(letter) ?? 0) < count);
    assert.deepEqual(missing, []);
    // What runs to the left is read back from its end.
    const cut = printed.filter(
      (text) => !/\p{Script=Hebrew}/u.test(text) && !plain(told).includes(plain(text)),
    );
    assert.deepEqual(cut, []);
    const words = await wordsOf(pdf);
    assert.deepEqual(
      words.filter(
        ({ bottom, top, left, right }) =>
          bottom > PAGE_BOTTOM + 40 || top < 0 || left < LEFT - 1 || right > RIGHT + 1,
      ),
      [],
    );
  }

  for (const [script, filler] of SCRIPTS) {
    const filled = filledWith(filler);
    it(`of ${script} says all of it: an invoice`, async () => {
      const { texts, ...parties } = partiesOf(filled);
      const description = filled('line', 1200);
      const printed = aPrintedInvoice([aLine({ description }), aLine({ description: 'The next line' })], {
        ...parties,
        replaces: filled('replaced', 32),
      });
      const said = [...texts, 'The next line', filled('replaced', 32)];
      await assertReadable(await invoicePdf(printed), said, [description]);
    });

    it(`of ${script} says all of it: a credit note`, async () => {
      const { texts, ...parties } = partiesOf(filled);
      const reason = filled('reason');
      const description = filled('line', 1200);
      const lines = [{ line_item_id: 'li_1', description, amount: '1.00' }];
      const note = aCreditNote({ ...parties, reason, lines });
      await assertReadable(
        await creditNotePdf({ note, logo: null }),
        [...texts, reason, note.invoice_number],
        [description],
      );
    });
  }

  it('has its number on each page', async () => {
    const { texts: _, ...parties } = partiesOf(filledWith('W'));
    const pages = await pagesOf(await invoicePdf(aPrintedInvoice([], parties)));
    assert.ok(pages.length > 2);
    for (const [place, lines] of pages.entries())
      assert.equal(lines.at(-1), `invoice INV-000001 | Page ${place + 1} of ${pages.length}`);
  });

  it('has texts of 8 points or more in its head', async () => {
    const { seller, customer } = partiesOf(filledWith('W'));
    const words = await wordsOf(await invoicePdf(aPrintedInvoice([], { seller, customer })));
    const head = words.filter(({ word }) => /W{5}/.test(word));
    assert.ok(head.length > 100);
    const small = head.filter(({ top, bottom }) => bottom - top < 8);
    assert.deepEqual(small, []);
  });
});

/** Words of each script, with vowels that stand before their letter, and letters below others: they are read back in the order on paper. */
const WORDS: [script: string, text: string][] = [
  ['Thai', 'สวัสดี ที่ กรุงเทพ น้ำ'],
  ['Bengali', 'বাংলা লিমিটেড ঢাকা। ক্ষুদ্র র্যাব'],
  ['Burmese', 'ရန်ကုန် မြွှာ ကြေးမုံ ဗုဒ္ဓ'],
  ['Khmer', 'ភ្នំពេញ ក្រុមហ៊ុន ស្រ្តី'],
  ['Ethiopic', 'አዲስ አበባ ኢትዮጵያ።'],
];

describe('the scripts of a document', () => {
  usePoppler();
  for (const [script, text] of WORDS)
    for (const weight of ['regular', 'bold'] as const)
      it(`${script} has a ${weight} font, and all its letters are read back`, async () => {
        assert.equal(printable(text, weight), text.normalize('NFC'));
        const customer = weight === 'bold' ? { name: text } : { name: 'Name', email: text };
        const pdf = await invoicePdf(aPrintedInvoice([], { customer: aBilledCustomer(customer) }));
        const sorted = (letters: string) => Array.from(plain(letters)).sort().join('');
        const told = (await partsOf(pdf)).map((part) => sorted(part.replace('P: ', '')));
        assert.ok(told.includes(sorted(text.normalize('NFC'))), told.join('\n'));
      });
});
