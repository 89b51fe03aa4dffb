import assert from 'node:assert/strict';
import type { Json } from '../../support/servers/api.ts';
import { csvFrom } from '../../support/documents/csv.ts';
import { eventually } from '../../support/servers/eventually.ts';
import { at, FLAT, requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';
import { useStack } from '../../support/servers/stack.ts';

describe('the audit log of billing', () => {
  const stack = useStack();
  const { advance, customer, done, get, plan, read, subscribe } = testCustomersOn(requestsTo(stack));

  /** Acts on a customer, oldest first: the action, the type of the actor, and the reason. */
  const actsOn = async (customer_id: string): Promise<[string, string, string | null][]> =>
    (await read(`/v1/audit-log?customer_id=${customer_id}&limit=200`)).data
      .map(({ action, actor, reason }: Json) => [action, actor.type, reason])
      .toReversed();

  async function invoiced(): Promise<{ id: string; invoice: Json; subscription: Json }> {
    const id = await customer();
    const subscription = await subscribe(id, await plan([FLAT]));
    const [invoice] = await advance(id, at('02-01'));
    return { id, invoice, subscription };
  }

  it('an invoice is issued by billing itself, after the clock was advanced by a key', async () => {
    const { id, invoice } = await invoiced();
    assert.deepEqual(await actsOn(id), [
      ['customer.created', 'key', null],
      ['test_clock.advanced', 'key', null],
      ['subscription.created', 'key', null],
      ['test_clock.advanced', 'key', null],
      ['invoice.issued', 'system', null],
    ]);
    const { data } = await read(`/v1/audit-log?object_id=${invoice['id']}`);
    assert.deepEqual(
      [data[0].before.status, data[0].after],
      ['draft', { full_number: invoice['number'], status: 'open' }],
    );
  });

  it('a regeneration is the act of who asked for it, and of a signal by hand', async () => {
    const { id, invoice, subscription } = await invoiced();
    const { id: second } = await done(`/v1/invoices/${invoice['id']}/regenerate`, { reason: 'Wrong plan' });
    assert.deepEqual((await actsOn(id)).slice(-2), [
      ['invoice.voided', 'key', 'Wrong plan'],
      ['invoice.issued', 'key', null],
    ]);
    const workflow_id = `subscription-${subscription['id']}`;
    await stack().temporal.client.workflow.getHandle(workflow_id).signal('regenerateInvoice', second);
    const acts = await eventually(
      () => actsOn(id),
      (found) => found.length === 9,
    );
    assert.deepEqual(
      acts.slice(-2).map(([action, type]) => [action, type]),
      [
        ['invoice.voided', 'signal'],
        ['invoice.issued', 'signal'],
      ],
    );
  });

  it('what a signal by hand bills again is the act of that signal', async () => {
    const { id, invoice, subscription } = await invoiced();
    await done(`/v1/invoices/${invoice['id']}/void`);
    const workflow_id = `subscription-${subscription['id']}`;
    await stack().temporal.client.workflow.getHandle(workflow_id).signal('generateNow');
    const acts = await eventually(
      () => actsOn(id),
      (found) => found.length === 7,
    );
    assert.deepEqual(acts.at(-1), ['invoice.issued', 'signal', null]);
  });

  it('a void, a payment, a credit note and a change of plan have their actor and reason', async () => {
    const { id, invoice, subscription } = await invoiced();
    const path = `/v1/invoices/${invoice['id']}`;
    const paid = await done(`${path}/payments`, { amount: '1.00' });
    await done(`${path}/payments/${paid['id']}/reverse`, { reason: 'Returned' });
    const note = await done(`${path}/credit-notes`, { lines: 'all', reason: 'Outage' });
    await done(`/v1/credit-notes/${note['id']}/void`, { reason: 'Twice' });
    await done(`${path}/void`, { reason: 'Waived' });
    await done(`/v1/subscriptions/${subscription['id']}/change`, {
      plan_id: await plan([FLAT]),
      at: 'period_end',
    });
    await done(`/v1/subscriptions/${subscription['id']}/cancel`, { at: 'period_end' });
    assert.deepEqual((await actsOn(id)).slice(5), [
      ['payment.recorded', 'key', null],
      ['payment.reversed', 'key', 'Returned'],
      ['credit_note.issued', 'key', 'Outage'],
      ['credit_note.voided', 'key', 'Twice'],
      ['invoice.voided', 'key', 'Waived'],
      ['subscription.updated', 'key', null],
      ['subscription.canceled', 'key', null],
    ]);
    const of_invoice = (await read(`/v1/audit-log?object_id=${invoice['id']}`)).data;
    assert.equal(of_invoice.length, 6);
  });

  it('is filtered by the number of an invoice or a credit note as by its id', async () => {
    const { invoice } = await invoiced();
    const path = `/v1/invoices/${invoice['id']}`;
    await done(`${path}/payments`, { amount: '1.00' });
    const note = await done(`${path}/credit-notes`, { lines: 'all', reason: 'Outage' });
    await done(`/v1/credit-notes/${note['id']}/void`, { reason: 'Twice' });
    const found = async (object_id: string, key?: string): Promise<Json[]> => {
      const path_of_list = `/v1/audit-log?object_id=${encodeURIComponent(object_id)}`;
      const { status, body } = await get(path_of_list, key === undefined ? {} : { key });
      assert.equal(status, 200, JSON.stringify(body));
      return body.data;
    };
    const actionsOf = async (object_id: string) => (await found(object_id)).map(({ action }) => action);
    assert.deepEqual(await actionsOf(invoice['number']), [
      ...['credit_note.voided', 'credit_note.issued', 'payment.recorded', 'invoice.issued'],
    ]);
    for (const { id, number } of [invoice, note]) assert.deepEqual(await found(number), await found(id));
    assert.deepEqual(await actionsOf(note['number']), ['credit_note.voided', 'credit_note.issued']);
    assert.deepEqual(await found('INV-999999'), []);
    assert.deepEqual(await found(invoice['number'], stack().live_key), []);
    const first = await read(`/v1/audit-log?object_id=${invoice['number']}&limit=1`);
    const rest = await read(
      `/v1/audit-log?object_id=${invoice['number']}&limit=9&cursor=${first['next_cursor']}`,
    );
    assert.deepEqual([first['data'].length, rest['data'].length], [1, 3]);
    const file = `${stack().api_url}/v1/audit-log.csv?object_id=${invoice['number']}`;
    assert.equal((await csvFrom(file, stack().test_key)).rows.length, 4);
  });
});
