import assert from 'node:assert/strict';
import { aggregateUsage, type BillingStep } from '../../../src/billing/close/draft.ts';
import { transaction } from '../../../src/db/connection/pool.ts';
import type { Invoice } from '../../../src/objects/invoice.ts';
import type { Json, Received, TestApi } from '../servers/api.ts';
import * as given from './billing.ts';

/** Live customers with an open invoice of two calls, 2.00 USD, whose emails a test sends over HTTP. */
export function payersOn(api: () => TestApi) {
  const post = (path: string, body: object = {}): Promise<Received> =>
    api().post(path, body, { key: api().live_key });
  const get = (path: string): Promise<Received> => api().request(path, { key: api().live_key });
  const patch = (path: string, body: object): Promise<Received> =>
    api().request(path, { method: 'PATCH', body, key: api().live_key });
  const done = ({ status, body }: Received): Json => {
    assert.ok(status < 300, `${status} ${JSON.stringify(body)}`);
    return body;
  };
  let made = 0;
  const aPeriod = async (parts: object): Promise<BillingStep> => {
    const { pool } = api();
    const { id } = done(await post('/v1/customers', { external_id: `payer-${++made}`, ...parts }));
    const { rows } = await pool.query<{ key: string }>('select key from customers where id = $1', [id]);
    const customer = { id, key: rows[0]!.key };
    const plan = await given.aPlan(pool, [{ pricing: given.PER_UNIT }]);
    const step = given.stepOf(await given.aSubscription(pool, customer, plan));
    await given.post(pool, customer, given.january(2));
    return step;
  };
  return {
    post,
    get,
    patch,
    done,
    /** `parts` are members of the customer. */
    async anInvoice(parts: object = { email: 'ada@acme.com' }): Promise<Invoice> {
      return given.bill(api().pool, await aPeriod(parts));
    },
    /** The id of an invoice whose hold has not ended. */
    async aDraft(): Promise<string> {
      const { pool } = api();
      const step = await aPeriod({ email: 'ada@acme.com' });
      await transaction(pool, (db) => aggregateUsage(db, step, given.NO_GRACE));
      return (await given.invoiceOf(pool, step)).id;
    },
    /** The emails of the database, oldest first. */
    async rows(): Promise<Json[]> {
      return (await api().pool.query('select * from emails order by id')).rows;
    },
  };
}
