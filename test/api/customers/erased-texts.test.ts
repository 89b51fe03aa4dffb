import assert from 'node:assert/strict';
import type { Json } from '../../support/servers/api.ts';
import { untilSomebodyWaits } from '../../support/ledger/locks.ts';
import { useStack } from '../../support/servers/stack.ts';
import { at, FLAT, requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';

/** contract.md 3: what people have written about a customer goes with its redaction. Every such text has "Ada" in it. */
describe('the erasure of texts', function () {
  const stack = useStack();
  const { read, done, customer, subscribe, plan, advance } = testCustomersOn(requestsTo(stack));

  const add = (customer_id: string, description: string) =>
    done('/v1/invoice-items', { customer_id, description, unit_amount: '10' });
  const listOf = async (path: string): Promise<Json[]> => (await read(path)).data;
  const invoicesOf = (customer_id: string) => listOf(`/v1/invoices?customer_id=${customer_id}`);
  const paymentsFound = async (q: string) =>
    (await listOf(`/v1/search?q=${encodeURIComponent(q)}`)).filter(({ object }) => object === 'payment');
  const redact = (customer_id: string) => done(`/v1/customers/${customer_id}/redact`);
  const descriptionsOf = ({ line_items }: Json) => line_items.map(({ description }: Json) => description);

  /** All lists of a customer. */
  const recordsOf = async (customer_id: string) => ({
    customer: await read(`/v1/customers/${customer_id}`),
    invoices: await invoicesOf(customer_id),
    notes: await listOf(`/v1/credit-notes?customer_id=${customer_id}`),
    payments: await listOf(`/v1/payments?customer_id=${customer_id}`),
    transfers: await listOf(`/v1/transfers?customer_id=${customer_id}`),
    items: await listOf(`/v1/invoice-items?customer_id=${customer_id}`),
    entries: await listOf(`/v1/customers/${customer_id}/balance-entries`),
    regenerations: (
      await stack().pool.query(
        `select r.reason from regenerations r join invoices i on i.id = r.invoice_id
         join customers c on c.id = i.customer_id where c.external_id = $1`,
        [customer_id],
      )
    ).rows,
  });

  /** A customer about whom everything is written that can be: January's invoice is paid, February's void, March's draft held. */
  async function aCustomer(): Promise<string> {
    const customer_id = await customer({ name: 'Ada' });
    await subscribe(customer_id, await plan([FLAT]));
    await add(customer_id, 'Lessons of Ada');
    const [january] = await advance(customer_id, at('02-01'));
    const path = `/v1/invoices/${january!.id}`;
    const mistake = await done(`${path}/payments`, { amount: '1', reference: 'Ada by mistake' });
    await done(`${path}/payments/${mistake.id}/reverse`, { reason: 'Ada called' });
    const pause = { reason: 'other', note: 'Ada called' };
    await done(`${path}/pause-collection`, pause);
    await done(`/v1/customers/${customer_id}/pause-collection`, pause);
    const invoices = [{ id: january!.id }];
    await done('/v1/transfers', { customer_id, amount: january!.total, invoices, reference: 'Ada 1' });
    const lines = [{ line_item_id: january!.line_items[0].id, amount: '2' }];
    await done(`${path}/credit-notes`, { lines, reason: 'Printed for Ada' });
    const note = await done(`${path}/credit-notes`, { lines, reason: 'Printed for Ada too' });
    await done(`/v1/credit-notes/${note.id}/void`, { reason: 'Ada did not agree' });
    await done(`/v1/customers/${customer_id}/balance-adjustments`, { amount: '3', reason: 'From Ada' });
    await done(`/v1/customers/${customer_id}/payments`, { amount: '4', reference: 'Ada in advance' });
    await add(customer_id, 'Books of Ada');
    const [february] = await advance(customer_id, at('03-01'));
    const again = await done(`/v1/invoices/${february!.id}/regenerate`, { reason: 'Ada moved' });
    await done(`/v1/invoices/${again.id}/void`, { reason: 'Ada left' });
    const [draft] = await advance(customer_id, at('04-01'), { hold_drafts: true });
    assert.deepEqual(descriptionsOf(draft!).slice(1), ['Books of Ada']);
    await add(customer_id, 'Paper of Ada');
    return customer_id;
  }

  /** The places of the customer's records that still say Ada. */
  function placesOf(records: unknown, place = ''): string[] {
    if (typeof records === 'string') return records.includes('Ada') ? [`${place}: ${records}`] : [];
    if (records === null || typeof records !== 'object') return [];
    return Object.entries(records).flatMap(([name, value]) =>
      placesOf(value, Array.isArray(records) ? place : `${place}.${name}`),
    );
  }

  const left = (records: unknown) => [...new Set(placesOf(records))].sort();

  /** Texts of issued documents. */
  const KEPT = [
    '.invoices.line_items.description: Books of Ada',
    '.invoices.customer.name: Ada',
    '.invoices.line_items.description: Lessons of Ada',
    '.notes.customer.name: Ada',
    '.notes.reason: Printed for Ada',
    '.notes.reason: Printed for Ada too',
  ];

  it('takes references, reasons and descriptions, and leaves what was issued', async () => {
    const customer_id = await aCustomer();
    const [, , , january] = await invoicesOf(customer_id);
    await redact(customer_id);
    const after = await recordsOf(customer_id);
    assert.deepEqual(left(after), KEPT.toSorted());
    const [draft, , , issued] = after.invoices as [Json, Json, Json, Json];
    assert.deepEqual(descriptionsOf(draft), [descriptionsOf(draft)[0], 'Item', 'Item']);
    assert.deepEqual(issued.line_items, january!.line_items);
    assert.deepEqual(
      after.payments.map(({ reference, reversal_reason, reversed_at }) => [
        reference,
        reversal_reason,
        reversed_at === null,
      ]),
      [
        [null, null, true],
        [null, null, true],
        [null, null, false],
      ],
    );
    assert.deepEqual(
      after.transfers.map(({ reference }) => reference),
      [null],
    );
    for (const reference of ['Ada 1', 'Ada by mistake', 'Ada in advance'])
      assert.deepEqual(await paymentsFound(reference), [], reference);
  });

  it('returns an item as "Item" where its invoice is void later, and bills it so', async () => {
    const customer_id = await customer();
    const { id } = await subscribe(customer_id, await plan([FLAT]));
    await add(customer_id, 'Lessons of Ada');
    const [january] = await advance(customer_id, at('02-01'));
    await redact(customer_id);
    await done(`/v1/invoices/${january!.id}/void`);
    const [item] = await listOf(`/v1/invoice-items?customer_id=${customer_id}`);
    assert.deepEqual([item!.status, item!.description], ['pending', 'Item']);
    const [again] = (await done('/v1/invoices/generate', { subscription_id: id })).data;
    assert.deepEqual(descriptionsOf(again).slice(1), ['Item']);
    assert.deepEqual(descriptionsOf(await read(`/v1/invoices/${january!.id}`)).slice(1), ['Lessons of Ada']);
  });

  it('leaves what is recorded later, until the next call', async () => {
    const customer_id = await customer();
    await subscribe(customer_id, await plan([FLAT]));
    await redact(customer_id);
    await add(customer_id, 'Lessons of Ada');
    const [january] = await advance(customer_id, at('02-01'));
    await done(`/v1/invoices/${january!.id}/pay`, { reference: 'Ada 2' });
    assert.equal((await paymentsFound('Ada 2')).length, 1);
    assert.equal((await read(`/v1/invoices/${january!.id}`)).payment_reference, 'Ada 2');
    await redact(customer_id);
    assert.equal((await paymentsFound('Ada 2')).length, 0);
    const { payment_reference, ...invoice } = await read(`/v1/invoices/${january!.id}`);
    assert.equal(payment_reference, null);
    assert.deepEqual(descriptionsOf(invoice).slice(1), ['Lessons of Ada']);
  });

  it('leaves the records of other customers', async () => {
    const [one, other] = [await aCustomer(), await aCustomer()];
    const before = await recordsOf(other);
    await redact(one);
    assert.deepEqual(await recordsOf(other), before);
  });

  it('waits for a draft that is being counted, which would be written with the former description', async () => {
    const customer_id = await customer();
    const { id } = await subscribe(customer_id, await plan([FLAT]));
    await add(customer_id, 'Lessons of Ada');
    const client = await stack().pool.connect();
    await client.query('begin');
    await client.query('select from subscriptions where id = $1 for no key update', [id]);
    const redacting = redact(customer_id);
    await untilSomebodyWaits(stack().pool);
    await client.query('commit');
    client.release();
    await redacting;
    const [item] = await listOf(`/v1/invoice-items?customer_id=${customer_id}`);
    assert.equal(item!.description, 'Item');
  });
});
