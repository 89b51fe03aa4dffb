import assert from 'node:assert/strict';
import { noteOverdue } from '../../../src/db/invoicing/overdue.ts';
import { transaction } from '../../../src/db/connection/pool.ts';
import { eventually } from '../../support/servers/eventually.ts';
import { useStack } from '../../support/servers/stack.ts';
import { at, FLAT, requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';

/** invoices.overdue_at, which the worker writes (ARCHITECTURE.md). */
describe('the moment at which an invoice becomes overdue', function () {
  const stack = useStack();
  const { advance, customer, done, plan, read, subscribe } = testCustomersOn(requestsTo(stack));

  const notedOf = async (id: string): Promise<string | null> => {
    const { rows } = await stack().pool.query<{ overdue_at: string | null }>(
      'select overdue_at from invoices where id = $1',
      [id],
    );
    return rows[0]!.overdue_at;
  };
  const sweep = () => noteOverdue(stack().pool, { customer_id: null, limit: 500 });
  /** An invoice that is due on 1 February. */
  async function anInvoice() {
    const customer_id = await customer();
    await subscribe(customer_id, await plan([FLAT]));
    const [invoice] = await advance(customer_id, at('02-01'));
    return { customer_id, id: invoice.id as string };
  }

  it("is noted once, by the customer's clock, and stays whatever becomes of the invoice", async () => {
    const { customer_id, id } = await anInvoice();
    await advance(customer_id, at('02-01T23:59:59.999'));
    await sweep();
    assert.equal(await notedOf(id), null);
    await advance(customer_id, at('02-02T12:00'));
    // By the worker or by this.
    await sweep();
    assert.equal(await notedOf(id), at('02-02T12:00'));
    const { id: payment_id } = await done(`/v1/invoices/${id}/payments`);
    assert.equal((await read(`/v1/invoices/${id}`)).overdue, false);
    await done(`/v1/invoices/${id}/payments/${payment_id}/reverse`, { reason: 'By mistake' });
    await advance(customer_id, at('02-10'));
    await sweep();
    assert.equal((await read(`/v1/invoices/${id}`)).overdue, true);
    assert.equal(await notedOf(id), at('02-02T12:00'));
  });

  it('is not noted for an invoice that is paid in time', async () => {
    const { customer_id, id } = await anInvoice();
    await done(`/v1/invoices/${id}/pay`);
    await advance(customer_id, at('02-10'));
    await sweep();
    assert.equal(await notedOf(id), null);
  });

  it('waits for no invoice that somebody has locked', async () => {
    const { customer_id, id } = await anInvoice();
    await transaction(stack().pool, async (db) => {
      await db.query(`update customers set test_clock = $2 where external_id = $1`, [
        customer_id,
        at('02-05'),
      ]);
      await db.query('select from invoices where id = $1 for update', [id]);
      await sweep();
      assert.equal(await notedOf(id), null);
    });
    // The worker sweeps too.
    await eventually(() => notedOf(id), Boolean, 20_000);
    assert.equal(await notedOf(id), at('02-05'));
  });
});
