import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { configAtStart } from '../src/settings/config.ts';
import type { Invoice } from '../src/objects/invoice.ts';
import { invoiceTable } from './invoice-table.ts';
import type { StackFile } from './data-dir.ts';

/** `npm run demo`: a customer's first invoice, from an empty account to its tier lines, on the running stack. */
const SINGLE_EVENTS = 3;
const BATCH_EVENTS = 1000;
const DAY_MS = 86_400_000;

const stack = readStack();
const run = Date.now().toString(36);

function readStack(): StackFile {
  const { values } = parseArgs({ options: { 'data-dir': { type: 'string' } } });
  const data_dir = values['data-dir'] ?? configAtStart().data_dir;
  try {
    return JSON.parse(readFileSync(join(data_dir, 'stack.json'), 'utf8')) as StackFile;
  } catch {
    console.error(`No stack is running in ${data_dir}. Start a stack with: npm start`);
    process.exit(1);
  }
}

async function post<Result>(path: string, body: object): Promise<Result> {
  const response = await fetch(`${stack.api_url}${path}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${stack.test_key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`POST ${path} failed with the status ${response.status}: ${text}`);
  return JSON.parse(text) as Result;
}

const step = (text: string) => console.log(`  ${text}`);

console.log("\nA customer's first invoice\n");
const customer_id = `demo-${run}`;
await post('/v1/customers', { external_id: customer_id, name: 'Demo Incorporated', tax_rate: '19' });
step(`customer ${customer_id}, taxed at 19 percent`);

const plan = await post<{ id: string }>('/v1/pricing-plans', {
  name: 'Pay as you grow',
  charges: [
    {
      event_name: 'api_call',
      pricing_model: 'graduated',
      tiers: [
        { up_to: 500, unit_amount: '0.10' },
        { up_to: 900, unit_amount: '0.05', flat_amount: '5.00' },
        { up_to: null, unit_amount: '0.01' },
      ],
    },
    { event_name: 'platform', name: 'Platform fee', pricing_model: 'flat', flat_amount: '49.00' },
  ],
});
step('plan: the first 500 calls at 0.10, to 900 at 0.05 and 5.00, then 0.01; a platform fee of 49.00');

const subscription = await post<{ current_period_end: string; workflow_id: string }>('/v1/subscriptions', {
  customer_id,
  plan_id: plan.id,
});
step(`subscription until ${subscription.current_period_end}, workflow ${subscription.workflow_id}`);

await post('/v1/credit-grants', { customer_id, amount: 100, rollover: true });
step('credit for 100 calls');

const event = (index: number) => ({
  event_name: 'api_call',
  customer_id,
  idempotency_key: `demo-${run}-${index}`,
});
for (let index = 0; index < SINGLE_EVENTS; index++) await post('/v1/events', event(index));
step(`${SINGLE_EVENTS} single events`);
const events = Array.from({ length: BATCH_EVENTS }, (_, index) => event(SINGLE_EVENTS + index));
const batch = await post<{ created: number }>('/v1/events/batch', { events });
step(`a batch of ${batch.created} events`);

const to = new Date(Date.parse(subscription.current_period_end) + DAY_MS).toISOString();
const { invoices } = await post<{ invoices: Invoice[] }>('/v1/test-clock/advance', {
  customer_id,
  to,
});
step(`the customer's clock moved to ${to}: the workflow billed the period`);

for (const invoice of invoices) console.log(`\n${invoiceTable(invoice)}\n`);
console.log(
  `  JSON       curl -H "Authorization: Bearer ${stack.test_key}" ${stack.api_url}/v1/invoices/${invoices[0]!.id}`,
);
console.log(`  Dashboard  ${stack.dashboard_url}invoices/${invoices[0]!.id}?mode=test`);
if (stack.temporal_ui_url !== null) {
  console.log(
    `  Workflow   ${stack.temporal_ui_url}/namespaces/billing/workflows/${subscription.workflow_id}`,
  );
}
console.log();
