import type { Client } from '@temporalio/client';
import { createPool } from '../../src/db/connection/pool.ts';
import { SEARCH_ATTRIBUTES } from '../../workflows/messages.ts';
import { call, forEvery } from '../client.ts';
import type { Api } from '../programs.ts';
import type { Place } from '../servers.ts';
import { waitUntil } from '../waiting.ts';
import { createCustomers, createPlan, type BilledCustomer } from './customers.ts';
import { createBasePlan, subscribeAtOwnPrices } from './own-prices.ts';
import { checkInvoices, readInvoices } from './invoices.ts';
import type { Side } from './side.ts';

const DAY_MS = 86_400_000;
const SETTLE_LIMIT_MS = 300_000;

const ISSUED = `select count(*) from invoices
  where environment_id = (select id from environments where livemode) and kind = 'period' and period_end = $1
    and number is not null`;
const LAST_NUMBER = 'select last_invoice_number::integer as last from environments where livemode';

/**
 * Live subscriptions to a daily plan, billed by the real API and worker, of which some may have prices of their own. A
 * workflow has finished once its invoice is issued.
 */
export async function openBillingRun(
  place: Place,
  { api, client, at_own_prices = 0 }: { api: Api; client: Client; at_own_prices?: number },
): Promise<Side> {
  const pool = createPool(place.database_url, 1);
  place.stops.add(() => pool.end());
  const plan = await createPlan(api);
  const base_plan = at_own_prices > 0 ? await createBasePlan(api) : plan;
  let customers: BilledCustomer[] = [];
  let ended_at = '';
  let round = 0;
  let last_number_before = 0;

  async function sleepUntil(instant: string, limit_ms: number): Promise<void> {
    // Not equality: with Temporal's SQLite no instant equals one whose milliseconds end in zero.
    const { name } = SEARCH_ATTRIBUTES.period_end;
    const query = `${name} >= '${instant}' and ${name} < '${plus(instant, 1)}' and ExecutionStatus = 'Running'`;
    await waitUntil('going to sleep until the end of the period', limit_ms, async () => {
      const { count } = await client.workflow.count(query);
      return count === customers.length;
    });
  }

  return {
    async prepare(workflows) {
      round += 1;
      const prefix = `round-${round}-${at_own_prices}`;
      customers = await createCustomers(api, prefix, { count: workflows, at_own_prices });
    },
    async start(ends_at) {
      ended_at = ends_at;
      const start_date = plus(ends_at, -DAY_MS);
      await forEvery(customers, async ({ external_id: customer_id, has_own_prices }) => {
        if (has_own_prices) await subscribeAtOwnPrices(api, base_plan.id, { customer_id, start_date });
        else await call(api, 'subscriptions', { customer_id, plan_id: plan.id, start_date });
      });
      await sleepUntil(ends_at, Date.parse(ends_at) - Date.now());
      const { rows } = await pool.query<{ last: number }>(LAST_NUMBER);
      last_number_before = rows[0]!.last;
    },
    async finished() {
      const { rows } = await pool.query<{ count: string }>(ISSUED, [ended_at]);
      return Number(rows[0]!.count);
    },
    async settle() {
      await sleepUntil(plus(ended_at, DAY_MS), SETTLE_LIMIT_MS);
      checkInvoices(await readInvoices(api, ended_at), customers, last_number_before + 1);
    },
  };
}

function plus(instant: string, ms: number): string {
  return new Date(Date.parse(instant) + ms).toISOString();
}
