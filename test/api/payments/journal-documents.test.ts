import assert from 'node:assert/strict';
import type { Json } from '../../support/servers/api.ts';
import { assertRefused } from '../../support/ledger/refused.ts';
import { useStack } from '../../support/servers/stack.ts';
import { at, FLAT, requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';

const monthOf = (day: string) => at(day).slice(0, 7);

/** contract.md 4: the figures of the section. The account is in UTC. */
describe('the documents of a month and the journal', function () {
  const stack = useStack();
  const { get, done, read, customer, plan, subscribe, advance } = testCustomersOn(requestsTo(stack));
  const documents = (month: string): Promise<Json> => read(`/v1/journal/documents?month=${month}`);

  /** An invoice of 1,400 JPY in Tokyo, issued at 31 October 15:00 in UTC, where it is 1 November. */
  async function inTokyo(): Promise<Json> {
    const customer_id = await customer({ currency: 'JPY', timezone: 'Asia/Tokyo' }, at('09-30T15:00'));
    const plan_id = await plan([{ ...FLAT, flat_amount: '1400' }], { currency: 'JPY' });
    await subscribe(customer_id, plan_id, { start_date: at('09-30T15:00') });
    const [invoice] = await advance(customer_id, at('10-31T15:00'));
    assert.deepEqual([invoice!.issued_at, invoice!.total], [at('10-31T15:00'), '1400']);
    return invoice!;
  }

  it('differ by an invoice that is dated in another month, also once it is void', async () => {
    const { id, number, customer_id } = await inTokyo();
    const differing = [
      {
        ...{ object_id: id, number, currency: 'JPY', amount: '1400' },
        ...{ printed_month: monthOf('11-01'), booked_month: monthOf('10-01') },
      },
    ];
    const october = {
      object: 'journal_documents',
      data: [{ currency: 'JPY', documents: '0', booked: '1400', difference: '1400' }],
      ...{ differing, has_more: false },
    };
    const november = {
      ...october,
      data: [{ currency: 'JPY', documents: '1400', booked: '0', difference: '-1400' }],
    };
    assert.deepEqual(await documents(monthOf('10-01')), october);
    assert.deepEqual(await documents(monthOf('11-01')), november);
    await advance(customer_id, at('11-05'));
    await done(`/v1/invoices/${id}/void`);
    assert.deepEqual(await documents(monthOf('10-01')), october);
    assert.deepEqual(await documents(monthOf('11-01')), november);
  });

  it('take off credit notes, and agree with the journal', async () => {
    const customer_id = await customer({ tax_rate: '20' });
    await subscribe(customer_id, await plan([FLAT]));
    const [invoice] = await advance(customer_id, at('02-01')); // 49.00 and 9.80 of tax
    await advance(customer_id, at('02-20'));
    const lines = [{ line_item_id: invoice!.line_items[0].id, amount: '10' }];
    const note = await done(`/v1/invoices/${invoice!.id}/credit-notes`, { lines, reason: 'Outage' });
    await done(`/v1/credit-notes/${note.id}/void`);
    const february = await documents(monthOf('02-01'));
    assert.deepEqual(february.data, [
      { currency: 'USD', documents: '46.80', booked: '46.80', difference: '0.00' },
    ]);
    assert.deepEqual([february.differing, february.has_more], [[], false]);
  });

  it('differ by a credit note of the last hours of a month, below zero', async () => {
    const invoice = await inTokyo();
    await advance(invoice.customer_id, at('12-31T16:00'));
    const lines = [{ line_item_id: invoice.line_items[0].id, amount: '400' }];
    const note = await done(`/v1/invoices/${invoice.id}/credit-notes`, { lines, reason: 'Outage' });
    const { data, differing } = await documents(monthOf('12-01'));
    const of_note = differing.find(({ object_id }: Json) => object_id === note.id);
    assert.deepEqual(
      [of_note.number, of_note.amount, of_note.printed_month, of_note.booked_month],
      [note.number, '-400', at('01-01', 1).slice(0, 7), monthOf('12-01')],
    );
    const sum = differing.reduce((added: number, { amount, booked_month }: Json) => {
      return added + (booked_month === monthOf('12-01') ? 1 : -1) * Number(amount);
    }, 0);
    assert.equal(data.find(({ currency }: Json) => currency === 'JPY').difference, `${sum}`);
  });

  it('are of one month, and of one environment', async () => {
    assertRefused(await get('/v1/journal/documents'), {
      ...{ code: 'invalid_request', param: 'month', reason: 'missing' },
    });
    assertRefused(await get('/v1/journal/documents?month=2026-00'), {
      ...{ code: 'invalid_request', param: 'month', reason: 'malformed' },
    });
    const live = await get(`/v1/journal/documents?month=${monthOf('10-01')}`, { key: stack().live_key });
    assert.deepEqual(live.body, { object: 'journal_documents', data: [], differing: [], has_more: false });
  });
});
