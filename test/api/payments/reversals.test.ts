import assert from 'node:assert/strict';
import type { Json, Received } from '../../support/servers/api.ts';
import { csvFrom } from '../../support/documents/csv.ts';
import { useStack } from '../../support/servers/stack.ts';
import { at, requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';

const HUNDRED = { event_name: 'fee', name: 'Fee', pricing_model: 'flat', flat_amount: '100.00' };

/** billing.md 7: what a reversal takes back although it was used. */
describe('the reversal of what was used', function () {
  const stack = useStack();
  const { post, done, read, customer, subscribe, plan, advance } = testCustomersOn(requestsTo(stack));

  /** A customer who pays 100.00 a month, with open invoices of these months. */
  async function invoicesOf(months: number, parts: object = {}): Promise<Json[]> {
    const customer_id = await customer(parts);
    await subscribe(customer_id, await plan([HUNDRED]));
    return advance(customer_id, at(`0${months + 1}-01`));
  }

  const pay = (invoice: Json, body: Json) => done(`/v1/invoices/${invoice.id}/payments`, body);
  const adjust = (customer_id: string, amount: string) =>
    done(`/v1/customers/${customer_id}/balance-adjustments`, { amount, reason: 'Payout' });
  const reverse = ({ id }: Json) => post(`/v1/payments/${id}/reverse`, { reason: 'Returned by the bank' });
  const balanceOf = async (customer_id: string) => (await read(`/v1/customers/${customer_id}`)).balance;
  const owedOf = async ({ id }: Json) => {
    const { status, amount_due, balance_applied, balance_at_issue, paid_at } = await read(
      `/v1/invoices/${id}`,
    );
    return [status, amount_due, balance_applied, balance_at_issue, paid_at];
  };
  const entriesOf = async (customer_id: string) =>
    (await read(`/v1/customers/${customer_id}/balance-entries`)).data.map(
      ({ type, amount, reason, invoice_id, payment_id, credit_note_id }: Json) => [
        ...[type, amount, reason],
        ...[invoice_id, payment_id ?? credit_note_id],
      ],
    );
  const bytesOf = async (path: string) => {
    const headers = { Authorization: `Bearer ${stack().test_key}` };
    return Buffer.from(await (await fetch(stack().api_url + path, { headers })).arrayBuffer());
  };
  const assertPaidOut = (answer: Received, lacks: string) => {
    assert.equal(answer.status, 409, JSON.stringify(answer.body));
    const { details } = answer.body.error;
    assert.deepEqual(
      details.map(({ reason }: Json) => reason),
      ['invalid_state', 'paid_out'],
    );
    assert.ok(details[1].message.includes(` ${lacks}:`), details[1].message);
  };

  it('makes it due again: 150.00 paid on 100.00, 50.00 of it cover the next 100.00, whose rest is paid', async () => {
    const [january] = await invoicesOf(1, { net_days: 14 });
    const { customer_id } = january!;
    const payment = await pay(january!, { amount: '150.00', excess: 'balance' });
    const [february] = await advance(customer_id, at('03-01'));
    await pay(february!, { amount: '50.00' });
    assert.deepEqual(await owedOf(february!), ['paid', '0.00', '50.00', '50.00', at('03-01')]);
    const pdf = `/v1/invoices/${february!.id}.pdf`;
    const printed = await bytesOf(pdf);
    await advance(customer_id, at('03-20'));
    const reversed = await reverse(payment);
    assert.equal(reversed.status, 200, JSON.stringify(reversed.body));
    assert.deepEqual(await owedOf(january!), ['open', '100.00', '0.00', '0.00', null]);
    assert.deepEqual(await owedOf(february!), ['open', '50.00', '0.00', '50.00', null]);
    assert.equal(await balanceOf(customer_id), '0.00');
    const { due_date, overdue } = await read(`/v1/invoices/${february!.id}`);
    assert.deepEqual([due_date, overdue], [at('03-15').slice(0, 10), true], 'on its old day');
    assert.ok(printed.equals(await bytesOf(pdf)));
    const reason = 'Returned by the bank';
    assert.deepEqual(await entriesOf(customer_id), [
      ['overpayment', '-50.00', reason, january!.id, payment.id],
      ['unapplied', '50.00', reason, february!.id, payment.id],
      ['applied', '-50.00', null, february!.id, null],
      ['overpayment', '50.00', null, january!.id, payment.id],
    ]);
    const journal = `${stack().api_url}/v1/journal.csv?from=${at('03-20')}&to=${at('03-21')}`;
    const { rows } = await csvFrom(journal, stack().test_key);
    assert.deepEqual(
      rows
        .filter((row) => row['customer_id'] === customer_id)
        .map(({ type, account, debit, credit }) => [type, account, debit, credit]),
      [
        ['reversal', 'receivable', '100.00', ''],
        ['reversal', 'customer_balance', '50.00', ''],
        ['reversal', 'cash', '', '150.00'],
        ['unapplied', 'receivable', '50.00', ''],
        ['unapplied', 'customer_balance', '', '50.00'],
      ],
    );
    await pay(february!, { amount: '50.00' });
    assert.deepEqual(await owedOf(february!), ['paid', '0.00', '0.00', '50.00', at('03-20')]);
  });

  it('comes from the balance first, then from the invoice that was covered last', async () => {
    const [january, february] = await invoicesOf(2);
    const { customer_id } = january!;
    const payment = await done(`/v1/customers/${customer_id}/payments`, { amount: '130.00' });
    await done(`/v1/invoices/${february!.id}/apply-balance`, { amount: '60' });
    await done(`/v1/invoices/${january!.id}/apply-balance`, { amount: '40' });
    await done(`/v1/invoices/${february!.id}/apply-balance`, { amount: '10' });
    await adjust(customer_id, '5.00');
    assert.equal(await balanceOf(customer_id), '25.00');
    assert.equal((await reverse(payment)).status, 200);
    assert.deepEqual(
      (await entriesOf(customer_id))
        .slice(0, 3)
        .map(([type, amount, , invoice_id]: Json) => [type, amount, invoice_id]),
      [
        ['deposit', '-130.00', null],
        ['unapplied', '35.00', january!.id],
        ['unapplied', '70.00', february!.id],
      ],
    );
    assert.deepEqual(await owedOf(february!), ['open', '100.00', '0.00', '0.00', null]);
    assert.deepEqual(await owedOf(january!), ['open', '95.00', '5.00', '0.00', null]);
    assert.equal(await balanceOf(customer_id), '0.00');
  });

  it('is refused where it was paid out, and nothing is changed', async () => {
    const [january] = await invoicesOf(1);
    const { customer_id } = january!;
    const payment = await pay(january!, { amount: '150.00', excess: 'balance' });
    await adjust(customer_id, '-20.00');
    const [february] = await advance(customer_id, at('03-01'));
    const state = async () => [
      await read(`/v1/invoices/${january!.id}`),
      await read(`/v1/invoices/${february!.id}`),
      await read(`/v1/payments/${payment.id}`),
      await entriesOf(customer_id),
      await balanceOf(customer_id),
    ];
    const before = await state();
    assertPaidOut(await reverse(payment), '20.00');
    assertPaidOut(
      await post(`/v1/invoices/${january!.id}/payments/${payment.id}/reverse`, { reason: 'x' }),
      '20.00',
    );
    assert.deepEqual(await state(), before);
    await adjust(customer_id, '20.00');
    assert.equal((await reverse(payment)).status, 200);
    assert.equal(await balanceOf(customer_id), '0.00');
  });

  it('leaves out what a void invoice had, which is in the balance', async () => {
    const [january] = await invoicesOf(1);
    const { customer_id } = january!;
    const payment = await done(`/v1/customers/${customer_id}/payments`, { amount: '100.00' });
    await done(`/v1/invoices/${january!.id}/apply-balance`);
    await done(`/v1/invoices/${january!.id}/void`);
    assert.equal((await reverse(payment)).status, 200);
    assert.deepEqual(await owedOf(january!), ['void', '0.00', '0.00', '0.00', at('02-01')]);
    assert.equal(await balanceOf(customer_id), '0.00');
  });

  it('of a payment of an invoice that is void since', async () => {
    const [january] = await invoicesOf(1);
    const { customer_id } = january!;
    const first = await pay(january!, { amount: '100.00' });
    const second = await pay(january!, { amount: '30.00', excess: 'balance' });
    await done(`/v1/invoices/${january!.id}/payments/${first.id}/reverse`, { reason: 'mistake' });
    await done(`/v1/invoices/${january!.id}/void`);
    assert.equal(await balanceOf(customer_id), '30.00');
    assert.equal((await reverse(second)).status, 200);
    assert.equal(await balanceOf(customer_id), '0.00');
  });

  it('by the void of a credit note', async () => {
    const [january] = await invoicesOf(1);
    const { customer_id } = january!;
    await pay(january!, {});
    const lines = [{ line_item_id: january!.line_items[0].id, amount: '80' }];
    const note = await done(`/v1/invoices/${january!.id}/credit-notes`, { lines, reason: 'Outage' });
    const [february] = await advance(customer_id, at('03-01'));
    assert.deepEqual(await owedOf(february!), ['open', '20.00', '80.00', '80.00', null]);
    const voided = await done(`/v1/credit-notes/${note.id}/void`, { reason: 'No outage' });
    assert.equal(voided.status, 'void');
    assert.deepEqual(await owedOf(january!), ['paid', '0.00', '0.00', '0.00', at('02-01')]);
    assert.deepEqual(await owedOf(february!), ['open', '100.00', '0.00', '80.00', null]);
    assert.deepEqual((await entriesOf(customer_id)).slice(0, 2), [
      ['credit_note', '-80.00', 'No outage', january!.id, note.id],
      ['unapplied', '80.00', 'No outage', february!.id, note.id],
    ]);
    const again = await done(`/v1/invoices/${february!.id}/credit-notes`, { lines: 'all', reason: 'Outage' });
    assert.deepEqual([again.to_invoice, again.to_balance], ['100.00', '0.00']);
    const third = await done(`/v1/invoices/${january!.id}/credit-notes`, { lines, reason: 'Outage' });
    await adjust(customer_id, '-80.00');
    assertPaidOut(await post(`/v1/credit-notes/${third.id}/void`), '80.00');
  });

  it('leaves the day on which what still covers the invoice was applied', async () => {
    const [january] = await invoicesOf(1);
    const { customer_id } = january!;
    const apply = async (day: string, amount: string) => {
      await advance(customer_id, at(day));
      const deposit = await done(`/v1/customers/${customer_id}/payments`, { amount });
      await done(`/v1/invoices/${january!.id}/apply-balance`);
      return deposit;
    };
    const paidAt = async () => (await read(`/v1/invoices/${january!.id}`)).paid_at;
    await apply('02-05', '60.00');
    const last = await apply('02-10', '40.00');
    assert.equal(await paidAt(), at('02-10'));
    await advance(customer_id, at('02-12'));
    assert.equal((await reverse(last)).status, 200);
    assert.equal(await paidAt(), null);
    const payment = await pay(january!, { amount: '40.00', paid_at: at('02-04') });
    assert.equal(await paidAt(), at('02-05'), 'of the application that stands');
    assert.equal((await reverse(payment)).status, 200);
    await apply('02-15', '40.00');
    assert.equal(await paidAt(), at('02-15'));
  });

  it('ten times at once has one effect', async () => {
    const [january] = await invoicesOf(1);
    const payment = await pay(january!, { amount: '150.00', excess: 'balance' });
    const [february] = await advance(january!.customer_id, at('03-01'));
    const answers = await Promise.all(Array.from({ length: 10 }, () => reverse(payment)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(9).fill(409)]);
    assert.deepEqual(await owedOf(february!), ['open', '100.00', '0.00', '50.00', null]);
  });
});
