import assert from 'node:assert/strict';
import { comparedInvoicesOn } from '../../support/ledger/compared-invoices.ts';
import { planChangesOn } from '../../support/ledger/plan-changes.ts';
import { at, FLAT, requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';
import { TIERS } from '../../support/ledger/tiers.ts';
import { useStack } from '../../support/servers/stack.ts';

const UNITS = { event_name: 'api_call', aggregation: { type: 'sum', property: 'units' } };
const T = { ...UNITS, pricing_model: 'graduated', tiers: TIERS };
const DEARER_T = { ...T, tiers: [{ ...TIERS[0], unit_amount: '0.2' }, ...TIERS.slice(1)] };
const perUnit = (unit_amount: string) => ({ ...UNITS, pricing_model: 'per_unit', unit_amount });
const HIGHER_FEE = { ...FLAT, flat_amount: '199.00' };

describe('causes of a difference', () => {
  const stack = useStack();
  const request = requestsTo(stack);
  const lives = testCustomersOn(request);
  const { advance, done, grant, plan, read } = lives;
  const { change } = planChangesOn(lives);

  const { compared, last, said, subscriber, units } = comparedInvoicesOn(lives);

  it('names what usage and a new price add: 10,000 at 0.010, then 12,000 at 0.012', async () => {
    const it = await subscriber([perUnit('0.010')]);
    await units(it, '01-01', 10_000);
    await change(it.id, await plan([perUnit('0.012')]), 'period_end');
    const before = await last(it, '02-01');
    await units(it, '02-01', 12_000);
    const invoice = await last(it, '03-01');
    assert.deepEqual(await compared(invoice), {
      object: 'invoice_comparison',
      invoice_id: invoice.id,
      with_invoice_id: before.id,
      currency: 'USD',
      total: '144.00',
      with_total: '100.00',
      difference: '44.00',
      lines: [
        {
          title: 'Api call',
          kind: 'usage',
          event_name: 'api_call',
          group: null,
          amount: '144.00',
          with_amount: '100.00',
          difference: '44.00',
          quantity: '12000',
          with_quantity: '10000',
          causes: [
            { cause: 'usage', amount: '20.00' },
            { cause: 'price', amount: '24.00' },
          ],
        },
        {
          title: 'Tax',
          kind: 'tax',
          event_name: null,
          group: null,
          amount: '0.00',
          with_amount: '0.00',
          difference: '0.00',
          quantity: null,
          with_quantity: null,
          causes: [],
        },
      ],
    });
  });

  it('names late usage and the tax on it: 900, then 1,001 and 100 late, a fee of 49.00, 20 %', async () => {
    const it = await subscriber([T, FLAT], { tax_rate: '20' });
    await units(it, '01-01', 900);
    const before = await last(it, '02-01');
    await units(it, '01-01', 100);
    await units(it, '02-01', 1001);
    const upcoming = await read(`/v1/subscriptions/${it.id}/upcoming-invoice/comparison`);
    const comparison = await compared(await last(it, '03-01'));
    assert.deepEqual(
      [comparison.with_total, comparison.total, comparison.difference],
      ['166.80', '196.86', '30.06'],
    );
    assert.deepEqual(said(comparison), ['usage usage 15.05, late 10.00', 'fee', 'tax tax_base 5.01']);
    assert.deepEqual(upcoming, { ...comparison, invoice_id: null });
    assert.equal(upcoming.with_invoice_id, before.id);
  });

  it('names a tier and a price: T, 900, then 1,500 with 0.20 in its first tier', async () => {
    const it = await subscriber([T]);
    await units(it, '01-01', 900);
    await change(it.id, await plan([DEARER_T]), 'period_end');
    await last(it, '02-01');
    await units(it, '02-01', 1500);
    assert.deepEqual(said(await compared(await last(it, '03-01'))), [
      'usage usage 40.00, price 100.00',
      'tax',
    ]);
  });

  it('names credit: T, 1,200 with 300 of credit, then without; 900 with 900, then 1,500 with 500', async () => {
    const FIGURES = [
      {
        months: [
          [300, 1200],
          [0, 1200],
        ],
        causes: 'usage credit 25.00',
      },
      {
        months: [
          [900, 900],
          [500, 1500],
        ],
        causes: 'usage usage 40.00, credit 60.00',
      },
    ] as const;
    for (const { months, causes } of FIGURES) {
      const it = await subscriber([T]);
      for (const [month, [credit, used]] of months.entries()) {
        if (credit > 0) await grant(it.customer_id, credit);
        await units(it, `0${month + 1}-01`, used);
        await advance(it.customer_id, at(`0${month + 2}-01`));
      }
      const [invoice] = (await read(`/v1/invoices?subscription_id=${it.id}`)).data;
      assert.deepEqual(said(await compared(invoice)), [causes, 'tax']);
    }
  });

  it('names parts of a fee: 49.00, changed to 199.00 on 16 April', async () => {
    const it = await subscriber([FLAT]);
    await advance(it.customer_id, at('04-01'));
    await change(it.id, await plan([HIGHER_FEE]), at('04-16'));
    assert.deepEqual(said(await compared(await last(it, '04-16'))), ['fee proration -24.50', 'tax']);
    assert.deepEqual(said(await compared(await last(it, '05-01'))), [
      'fee price 150.00, proration -75.00',
      'tax',
    ]);
  });

  it('names the parts of a cut period: T, 900, cut, 300', async () => {
    const it = await subscriber([T]);
    await units(it, '01-01', 900);
    await advance(it.customer_id, at('01-16'));
    await done('/v1/invoices/generate', { subscription_id: it.id, close_now: true });
    await units(it, '01-16', 300);
    assert.deepEqual(said(await compared(await last(it, '02-01'))), [
      'usage usage -60.00, proration -5.00',
      'tax',
    ]);
  });

  it('names another rate of the tax: 100.00 at 20 %, then 150.00 at 10 %', async () => {
    const it = await subscriber([perUnit('1')], { tax_rate: '20' });
    await units(it, '01-01', 100);
    await last(it, '02-01');
    await request(`/v1/customers/${it.customer_id}`, { method: 'PATCH', body: { tax_rate: '10' } });
    await units(it, '02-01', 150);
    const comparison = await compared(await last(it, '03-01'));
    assert.deepEqual(said(comparison), ['usage usage 50.00', 'tax tax_base 10.00, tax_rate -15.00']);
  });
});
