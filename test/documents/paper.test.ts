import assert from 'node:assert/strict';
import fc from 'fast-check';
import { sumsByCharge } from '../../src/documents/pdf/charge-sums.ts';
import { invoicePdf } from '../../src/documents/pdf/invoice-pdf.ts';
import type { PrintedInvoice } from '../../src/documents/pdf/printed-invoice.ts';
import { totalOf } from '../../src/domain/money/figures.ts';
import type { Charge } from '../../src/domain/pricing/charge.ts';
import { pagesOf, usePoppler } from '../support/documents/pdf.ts';
import { aLine, aPrintedInvoice, type Line } from '../support/documents/printed-invoice.ts';
import { TIERS } from '../support/ledger/tiers.ts';

const HEAD = 'Description | Quantity | Credit used | Unit price | Amount (USD)';

/** A charge of a plan, by its name. */
function aCharge(id: string, name: string, parts: Partial<Charge> = {}): Charge {
  return {
    ...{ id, name, event_name: id, unit_name: null, aggregation: { type: 'count' }, filters: null },
    ...{ pricing: { pricing_model: 'per_unit', unit_amount: '1' }, group_by: null },
    ...parts,
  };
}

const CALLS = aCharge('calls', 'API calls', { group_by: ['region'] });
const MAIL = aCharge('mail', 'Mail');
const FEE = aCharge('fee', 'Base fee', {
  pricing: { pricing_model: 'flat', flat_amount: '49', billed: 'in_arrears' },
});
const CHARGES = [CALLS, MAIL, FEE];

/** A line of each region at 1.00, then one of mail at 2.50, the fee, two items, and late usage of mail at 0.50. */
function manyLines(regions: number): Line[] {
  const item = {
    type: 'item',
    charge_id: null,
    event_name: null,
    aggregation: null,
    pricing_model: null,
  } as const;
  return [
    ...Array.from({ length: regions }, (_, region) =>
      aLine({
        charge_id: 'calls',
        description: `API calls (region ${region}): 1 event, from 1 to 31 January 2026 (Europe/Berlin)`,
        group: { region: `${region}` },
      }),
    ),
    aLine({ charge_id: 'mail', description: 'Mail: 1 event', amount: '2.50' }),
    aLine({ charge_id: 'fee', type: 'flat', description: 'Base fee', amount: '49.00' }),
    aLine({
      ...item,
      description: 'Workshop',
      amount: '800.00',
      invoice_item: { id: 'ii_1', unit_amount: '800' },
    }),
    aLine({
      ...item,
      description: 'Discount',
      amount: '-100.00',
      invoice_item: { id: 'ii_2', unit_amount: '-100' },
    }),
    aLine({
      charge_id: 'mail',
      type: 'late_usage',
      description: 'Late usage: Mail: 1 event',
      amount: '0.50',
    }),
  ];
}

function printed(lines: Line[], parts: Partial<PrintedInvoice['invoice']> = {}): PrintedInvoice {
  const paper = aPrintedInvoice(lines);
  const subtotal = totalOf(lines.map(({ amount }) => amount));
  return { ...paper, charges: CHARGES, invoice: { ...paper.invoice, subtotal, ...parts } };
}

describe('the paper of an invoice', () => {
  usePoppler();
  const linesOf = async (paper: PrintedInvoice) => (await pagesOf(await invoicePdf(paper))).flat();

  it('says the amount due and the due day first, below the title', async () => {
    const due = { total: '201.94', balance_at_issue: '1.94', due_date: '2026-02-15' };
    const [title, ...rest] = (await linesOf(printed([aLine({})], due))).flatMap((line) => {
      const said = line.replace(/^(Seller|Billed to|customer) \| /, '');
      return said === line && /^(Seller|Billed to|customer)$/.test(line) ? [] : [said];
    });
    assert.deepEqual(
      [title, ...rest.slice(0, 3)],
      ['Invoice', 'Amount due | 200.00 USD', 'Due | 15 February 2026', 'Number | INV-000001'],
    );
  });

  it('of a draft says what would be due, and no day', async () => {
    const draft = { status: 'draft', number: null, issued_at: null, due_date: null } as const;
    const lines = await linesOf(printed([aLine({})], draft));
    assert.ok(lines.some((line) => line.endsWith('Amount due | 1.00 USD')));
    assert.ok(!lines.some((line) => /\bDue \|/.test(line)));
  });

  it('begins with sums by charge beyond 40 lines, which add up to the subtotal', async () => {
    const lines = await linesOf(printed(manyLines(36)));
    const head = lines.indexOf(HEAD);
    // 36 x 1.00, 2.50 + 0.50, 49.00, 800.00 - 100.00
    assert.deepEqual(lines.slice(head + 1, head + 8), [
      'Sums by charge',
      'API calls | 36 lines | 36.00',
      'Mail | 2 lines | 3.00',
      'Base fee | 1 line | 49.00',
      'Other items | 2 lines | 700.00',
      'Subtotal | 788.00',
      'Lines',
    ]);
    assert.match(lines[head + 8]!, /^API calls \(region 0\): 1 event/);
  });

  const PERIOD_LINE = {
    ...{ charge_id: null, event_name: null, aggregation: null, pricing_model: null },
  } as const;
  const periodLine = (type: 'discount' | 'minimum', amount: string): Line =>
    aLine({
      ...PERIOD_LINE,
      ...{ type, amount, quantity: '1', billable_quantity: '1' },
      description: `${type === 'minimum' ? 'Minimum' : 'Loyalty'}, from 1 to 31 January 2026`,
      discounts: type === 'minimum' ? [] : [{ discount_id: 'dis_1', name: 'Loyalty', percent: null }],
    });

  it('says a discount of an amount and a minimum as lines of one, of either sign', async () => {
    const lines = await linesOf(
      printed([
        aLine({ amount: '80.00' }),
        periodLine('discount', '-10.00'),
        periodLine('minimum', '30.00'),
        periodLine('minimum', '-20.00'),
      ]),
    );
    const place = lines.findIndex((line) => line.startsWith('Loyalty'));
    assert.deepEqual(lines.slice(place, place + 3), [
      'Loyalty, from 1 to 31 January 2026 | 1 | -10.00 | -10.00',
      'Minimum, from 1 to 31 January 2026 | 1 | 30.00 | 30.00',
      'Minimum, from 1 to 31 January 2026 | 1 | -20.00 | -20.00',
    ]);
  });

  it('sums discounts of an amount and minimums apart from items', async () => {
    const period_lines = [periodLine('discount', '-10.00'), periodLine('minimum', '30.00')];
    const lines = await linesOf(printed([...manyLines(36), ...period_lines]));
    assert.ok(lines.includes('Discounts | 1 line | -10.00'));
    assert.ok(lines.includes('Minimum | 1 line | 30.00'));
    assert.ok(lines.includes('Other items | 2 lines | 700.00'));
  });

  it('has no sums up to 40 lines', async () => {
    const lines = await linesOf(printed(manyLines(35)));
    assert.ok(!lines.includes('Sums by charge'));
    assert.match(lines[lines.indexOf(HEAD) + 1]!, /^API calls \(region 0\): 1 event/);
  });

  it('counts the lines that it prints', async () => {
    const zero = aLine({ charge_id: 'mail', quantity: '0', amount: '0.00' });
    const lines = [...manyLines(35), zero];
    assert.ok((await linesOf(printed(lines))).includes('Sums by charge'));
    assert.ok(!(await linesOf(printed(lines, { hide_zero_lines: true }))).includes('Sums by charge'));
  });

  it('has the head of its table once on each page', async () => {
    for (const count of [3, 45, 200]) {
      const pages = await pagesOf(await invoicePdf(printed(manyLines(count - 5))));
      const heads = pages.map((page) => page.filter((line) => line === HEAD).length);
      assert.deepEqual(new Set(heads), new Set([1]), `${count} lines`);
      assert.ok(pages.slice(1).every(([first]) => first === HEAD));
    }
  });

  it('says tiers in words below their line, with a flat amount beside', async () => {
    const graduated = aCharge('calls', 'Tokens', {
      pricing: { pricing_model: 'graduated', tiers: [...TIERS] },
    });
    const tiers = [
      { up_to: '1000', quantity: '1000', unit_amount: '0.1', flat_amount: '0.00', amount: '100.00' },
      { up_to: '10000', quantity: '9000', unit_amount: '0.05', flat_amount: '5.00', amount: '455.00' },
      { up_to: null, quantity: '2000', unit_amount: '0.01', flat_amount: '0.00', amount: '20.00' },
    ];
    const line = aLine({ charge_id: 'calls', description: 'Tokens: 12,000', quantity: '12000', tiers });
    const lines = await linesOf({ ...printed([line]), charges: [graduated] });
    const place = lines.findIndex((text) => text.startsWith('Tokens: 12,000'));
    assert.deepEqual(lines.slice(place + 1, place + 4), [
      'up to 1,000 | 1,000 | 0.10 | 100.00',
      'over 1,000 to 10,000, plus 5.00 | 9,000 | 0.05 | 455.00',
      'over 10,000 | 2,000 | 0.01 | 20.00',
    ]);
  });

  it('says the discounts of a line and its amount before them, above the tiers that sum to it', async () => {
    const discounts = [
      { discount_id: 'dis_1', name: 'Loyalty', percent: '10' },
      { discount_id: 'dis_2', name: 'Launch', percent: '2.5' },
    ];
    const tiers = [
      { up_to: null, quantity: '90000', unit_amount: '0.1', flat_amount: '0.00', amount: '9000.00' },
    ];
    const line = aLine({
      description: 'Calls',
      tiers,
      amount: '7897.50',
      discounts,
      amount_before: '9000.00',
    });
    const lines = await linesOf(printed([line, aLine({ description: 'Mail' })]));
    const place = lines.findIndex((text) => text.startsWith('Calls |'));
    assert.deepEqual(lines.slice(place + 1, place + 3), [
      '10 % Loyalty, 2.5 % Launch, 9,000.00 before',
      'all | 90,000 | 0.10 | 9,000.00',
    ]);
    assert.match(lines[place + 3]!, /^Mail \|/);
  });

  it('keeps the discounts of a line on its page', async () => {
    const discounts = [{ discount_id: 'dis_1', name: 'Loyalty', percent: '10' }];
    const fee = aLine({ description: 'Fee', amount: '0.90', discounts, amount_before: '1.00' });
    const pages = await pagesOf(await invoicePdf(printed(Array.from({ length: 80 }, () => fee))));
    assert.ok(pages.length > 2);
    for (const page of pages) assert.doesNotMatch(page[1]!, /before$/);
  });

  it('keeps up to 20 tiers on the page of their line, and says where more go on', async () => {
    const tiersOf = (count: number) =>
      Array.from({ length: count }, (_, at) => ({
        ...{ up_to: `${at + 1}`, quantity: '1', unit_amount: '1', flat_amount: '0.00', amount: '1.00' },
      }));
    const few = [
      ...Array.from({ length: 25 }, () => aLine({})),
      aLine({ description: 'Tiers', tiers: tiersOf(20) }),
    ];
    const [, second] = await pagesOf(await invoicePdf(printed(few)));
    assert.match(second![1]!, /^Tiers \|/);
    const pages = await pagesOf(await invoicePdf(printed([aLine({ tiers: tiersOf(100) })])));
    assert.deepEqual(pages[1]!.slice(0, 2), [HEAD, '(continued)']);
  });

  const ZONES: [timezone: string, description: string, printed: string, named: boolean][] = [
    ['Europe/Berlin', 'Fee, from 1 to 31 March 2026 (Europe/Berlin)', 'Fee, from 1 to 31 March 2026', true],
    ['UTC', 'Fee, from 1 to 31 March 2026', 'Fee, from 1 to 31 March 2026', false],
    [
      'UTC',
      'Fee, from 1 March 2026 10:30 to 1 April 2026 10:30 UTC',
      'Fee, from 1 March 2026 10:30 to 1 April 2026 10:30',
      true,
    ],
  ];
  for (const [timezone, description, says, is_named] of ZONES)
    it(`names its zone ${is_named ? 'once' : 'not at all'}: ${description}`, async () => {
      const lines = [1, 2, 3].map(() => aLine({ description }));
      const text = (await linesOf(printed(lines, { timezone }))).join(' ').replaceAll(' | ', ' ');
      assert.equal(text.split(timezone).length - 1, is_named ? 1 : 0, text);
      assert.equal(text.includes(`Time zone ${timezone}`), is_named);
      const words = says.split(' ').slice(0, 4).join(' ');
      assert.equal(text.split(words).length - 1, 3);
    });

  it('has sums of any lines that add up to all of them', () => {
    const aCents = fc.integer({ min: -99_999, max: 99_999 }).map((cents) => (cents / 100).toFixed(2));
    const someLines = fc.array(
      fc.record({ charge_id: fc.constantFrom('calls', 'mail', 'fee', 'unknown', null), amount: aCents }),
      { minLength: 1, maxLength: 60 },
    );
    fc.assert(
      fc.property(someLines, (parts) => {
        const lines = parts.map((part) => aLine(part));
        const sums = sumsByCharge(lines, CHARGES);
        assert.equal(totalOf(sums.map(({ amount }) => amount)), totalOf(parts.map(({ amount }) => amount)));
        assert.equal(
          sums.reduce((count, sum) => count + sum.lines, 0),
          lines.length,
        );
        assert.equal(new Set(sums.map(({ title }) => title)).size, sums.length);
      }),
    );
  });

  it('tells charges with one name apart, and sums those that read alike', () => {
    const filtered = (id: string, model: string) =>
      aCharge(id, 'Requests', { event_name: 'request', filters: { model: [model] } });
    const charges = [
      filtered('a', 'large'),
      filtered('b', 'small'),
      aCharge('c', 'Mail'),
      aCharge('d', 'Mail', { event_name: 'c' }),
    ];
    const lines = charges.map(({ id }) => aLine({ charge_id: id }));
    assert.deepEqual(sumsByCharge(lines, charges), [
      { title: 'Requests (model large)', lines: 1, amount: '1.00' },
      { title: 'Requests (model small)', lines: 1, amount: '1.00' },
      { title: 'Mail', lines: 2, amount: '2.00' },
    ]);
  });
});
