import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { workflowIdOf } from '../../workflows/messages.ts';
import { stopEverything } from './at-end.ts';
import { eventually } from './eventually.ts';
import { startStack, type Stack } from './stack.ts';
import { temporalAddress } from './temporal.ts';

/**
 * Records what the workflows of this version do, for the replay test: `node --import tsx test/support/record-histories.ts NAME`.
 * Run it before workflow code changes, with the name of the version, and commit what it writes.
 */
const FOLDER = new URL('../histories/subscriptionWorkflow/', import.meta.url);
const MONTH_MS = 31 * 86_400_000;
/** Of a run that has read the rows, shown what they say and waits. */
const WAITING_EVENTS = 10;

const version = process.argv[2];
if (version === undefined) throw new Error('name the version: record-histories.ts NAME');
const stops: (() => Promise<void>)[] = [];
const stack = await startStack({ GRACE_PERIOD: '1h', TEMPORAL_ADDRESS: await temporalAddress() }, stops);

try {
  mkdirSync(FOLDER, { recursive: true });
  await record('trial-and-two-periods', await trialAndTwoPeriods(stack));
  await record('caught-up-from-the-past', await caughtUp(stack));
  await record('draft-finalized-by-signal', await draftFinalized(stack));
  await record('parked-and-woken', await parkedAndWoken(stack));
} finally {
  for (let stop = stops.pop(); stop !== undefined; stop = stops.pop()) await stop();
  await stopEverything();
}

type Subscription = { id: string };
type Invoice = { id: string; status: string };

async function subscribe({ done }: Stack, key: string, dates: object): Promise<Subscription> {
  const customer_id = `c-${Math.random()}`;
  await done(key, 'POST', '/v1/customers', { external_id: customer_id });
  const charge = { event_name: 'api_call', pricing_model: 'flat', flat_amount: '10' };
  const plan = await done<{ id: string }>(key, 'POST', '/v1/pricing-plans', {
    name: 'Plan',
    charges: [charge],
  });
  return done(key, 'POST', '/v1/subscriptions', { customer_id, plan_id: plan.id, ...dates });
}

async function trialAndTwoPeriods(stack: Stack): Promise<string> {
  const start = Date.now() + 86_400_000;
  const dates = {
    start_date: new Date(start).toISOString(),
    trial_end_date: new Date(start + 86_400_000).toISOString(),
  };
  const { id, customer_id } = (await subscribe(stack, stack.test_key, dates)) as Subscription & {
    customer_id: string;
  };
  for (const ahead of [1, 2, 40, 80]) {
    const to = new Date(start + ahead * 86_400_000).toISOString();
    await stack.done(stack.test_key, 'POST', '/v1/test-clock/advance', { customer_id, to });
  }
  return id;
}

async function caughtUp(stack: Stack): Promise<string> {
  const start_date = new Date(Date.now() - 3.5 * MONTH_MS).toISOString();
  const { id } = await subscribe(stack, stack.live_key, { start_date });
  await invoicesOf(stack, id, (invoices) => invoices.filter(({ status }) => status === 'open').length === 3);
  return id;
}

async function aHeldDraft(stack: Stack): Promise<{ id: string; invoice_id: string }> {
  const billing_anchor = new Date(Date.now() - 600_000).toISOString();
  const start_date = new Date(Date.now() - 86_400_000).toISOString();
  const { id } = await subscribe(stack, stack.live_key, { start_date, billing_anchor });
  const [draft] = await invoicesOf(stack, id, (invoices) => invoices.length === 1);
  return { id, invoice_id: draft!.id };
}

async function draftFinalized(stack: Stack): Promise<string> {
  const { id, invoice_id } = await aHeldDraft(stack);
  await stack.temporal.client.workflow.getHandle(workflowIdOf(id)).signal('finalizeInvoice', invoice_id);
  await invoicesOf(stack, id, ([invoice]) => invoice?.status === 'open');
  return id;
}

async function parkedAndWoken(stack: Stack): Promise<string> {
  const { id, invoice_id } = await aHeldDraft(stack);
  await stack.pool.query(
    `alter table invoices add constraint impossible check (id <> '${invoice_id}' or status = 'draft') not valid`,
  );
  const handle = stack.temporal.client.workflow.getHandle(workflowIdOf(id));
  await handle.signal('finalizeInvoice', invoice_id);
  const path = `/v1/subscriptions/${id}`;
  await eventually(
    () => stack.done<{ attention: string | null }>(stack.live_key, 'GET', path),
    ({ attention }) => attention !== null,
  );
  await stack.pool.query('alter table invoices drop constraint impossible');
  await handle.signal('wake');
  await invoicesOf(stack, id, ([invoice]) => invoice?.status === 'open');
  return id;
}

function invoicesOf(
  { done, live_key }: Stack,
  id: string,
  isDone: (invoices: Invoice[]) => boolean,
): Promise<Invoice[]> {
  const path = `/v1/invoices?subscription_id=${id}`;
  return eventually(async () => (await done<{ data: Invoice[] }>(live_key, 'GET', path)).data, isDone);
}

async function runsOf(workflowId: string): Promise<{ runId: string; startTime: Date }[]> {
  const runs: { runId: string; startTime: Date }[] = [];
  const query = `WorkflowId = '${workflowId}'`;
  for await (const run of stack.temporal.client.workflow.list({ query })) runs.push(run);
  return runs;
}

/** Writes every run of a subscription's workflow, without the names of machines. */
async function record(name: string, subscription_id: string): Promise<void> {
  const { workflow } = stack.temporal.client;
  const workflowId = workflowIdOf(subscription_id);
  // The run after the one that billed has come as far as its wait, and the list knows of both.
  await eventually(
    async () => (await workflow.getHandle(workflowId).describe()).historyLength,
    (events) => events >= WAITING_EVENTS,
  );
  const runs = await eventually(
    () => runsOf(workflowId),
    (found) => found.length > 1,
  );
  let run = 0;
  for (const { runId } of runs.sort((a, b) => a.startTime.getTime() - b.startTime.getTime())) {
    const history = await workflow.getHandle(workflowId, runId).fetchHistory();
    const json = historyToJSON(history)
      .replaceAll(/"identity": "[^"]*"/g, '"identity": "worker"')
      .replaceAll(/"stackTrace": "(?:[^"\\]|\\.)*"/g, '"stackTrace": ""');
    const file = new URL(`${version}-${name}-${++run}.json`, FOLDER);
    rmSync(file, { force: true });
    writeFileSync(file, `${json}\n`);
    console.log(file.pathname.split('/').at(-1), history.events?.length, 'events');
  }
}
