import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import type { Invoice } from '../../../src/objects/invoice.ts';
import type { Subscription } from '../../../src/objects/subscription.ts';
import { migrationWorkflowIdOf, webhookWorkflowIdOf, workflowIdOf } from '../../../workflows/messages.ts';
import { stopEverything } from './at-end.ts';
import { eventually } from './eventually.ts';
import { aReceiver } from './receiver.ts';
import { declinedAndWaited } from './recorded-charge.ts';
import { aStripe } from './stripe-stand-in.ts';
import { startStack, type Stack } from './stack.ts';
import { temporalAddress } from './temporal.ts';

/**
 * Records the workflow histories of the current code for the replay test: `npm run record-histories`. Run it before you change workflow
 * code, and commit the files. Their version is the next number: v7 after v6.
 */
const SUBSCRIPTIONS = new URL('../../histories/subscriptionWorkflow/', import.meta.url);
const WEBHOOKS = new URL('../../histories/webhookWorkflow/', import.meta.url);
const COLLECTIONS = new URL('../../histories/collectWorkflow/', import.meta.url);
const MIGRATIONS = new URL('../../histories/planMigrationWorkflow/', import.meta.url);
const MONTH_MS = 31 * 86_400_000;
const DAY_MS = 86_400_000;
/** Subscriptions of the migration: more than a batch. */
const MOVED = 60;

const recorded = readdirSync(SUBSCRIPTIONS).map((file) => Number(/^v(\d+)-/.exec(file)?.[1] ?? 0));
const version = `v${Math.max(6, ...recorded) + 1}`;
const stops: (() => Promise<void>)[] = [];
const stripe = await aStripe();
const stack = await startStack(
  { GRACE_PERIOD: '1h', TEMPORAL_ADDRESS: await temporalAddress(), STRIPE_API_URL: stripe.url },
  stops,
);

try {
  await recordSubscription('trial-and-two-periods', await trialAndTwoPeriods(stack));
  await recordSubscription('caught-up-from-the-past', await caughtUp(stack));
  await recordSubscription('draft-finalized-by-signal', await draftFinalized(stack));
  await recordSubscription('parked-and-retried', await parkedAndRetried(stack));
  await recordSubscription('corrected-and-canceled', await correctedAndCanceled(stack));
  await recordSubscription('many-periods', await manyPeriods(stack), 2);
  await record(WEBHOOKS, 'endpoint-paused-and-deleted', await pausedAndDeleted(stack));
  await record(COLLECTIONS, 'declined-and-waited', await declinedAndWaited(stack, stripe), 2);
  await record(MIGRATIONS, 'moved-and-taken-back', await movedAndTakenBack(stack), 2);
} finally {
  for (let stop = stops.pop(); stop !== undefined; stop = stops.pop()) await stop();
  await stopEverything();
}

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
  const { id, customer_id } = await subscribe(stack, stack.test_key, dates);
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

async function parkedAndRetried(stack: Stack): Promise<string> {
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

/** A daily plan, until the run continues as a new one. */
async function manyPeriods({ done, test_key }: Stack): Promise<string> {
  const customer_id = `c-${Math.random()}`;
  await done(test_key, 'POST', '/v1/customers', { external_id: customer_id });
  const charges = [{ event_name: 'api_call', pricing_model: 'flat', flat_amount: '10' }];
  const plan = { name: 'Daily', interval: 'day', charges };
  const { id: plan_id } = await done<{ id: string }>(test_key, 'POST', '/v1/pricing-plans', plan);
  const { id } = await done<{ id: string }>(test_key, 'POST', '/v1/subscriptions', { customer_id, plan_id });
  for (let days = 1; days <= 12; days++) {
    const to = new Date(Date.now() + days * DAY_MS + 1000).toISOString();
    await done(test_key, 'POST', '/v1/test-clock/advance', { customer_id, to });
  }
  return id;
}

/** Records a subscription regenerated by request and by signal, generated by signal, canceled, and finished after its late window. */
async function correctedAndCanceled({ done, test_key, temporal }: Stack): Promise<string> {
  const subscription = await subscribe(stack, test_key, {});
  const { id, customer_id } = subscription;
  const post = <Body>(path: string, body: object = {}) => done<Body>(test_key, 'POST', path, body);
  const advance = (days: number) => {
    const to = new Date(Date.now() + days * 86_400_000).toISOString();
    return post<{ invoices: Invoice[] }>('/v1/test-clock/advance', { customer_id, to });
  };
  const { invoices } = await advance(40);
  const handle = temporal.client.workflow.getHandle(workflowIdOf(id));
  const replaced = await post<Invoice>(`/v1/invoices/${invoices[0]!.id}/regenerate`);
  await handle.signal('regenerateInvoice', replaced.id);
  const isVoid = async () => (await done<Invoice>(test_key, 'GET', `/v1/invoices/${replaced.id}`)).status;
  await eventually(isVoid, (status) => status === 'void');
  await handle.signal('generateNow');
  await post(`/v1/subscriptions/${id}/cancel`, { at: 'now' });
  await advance(90);
  await eventually(
    async () => (await handle.describe()).status.name,
    (status) => status === 'COMPLETED',
  );
  return id;
}

/** Records an endpoint that delivers, is paused and resumed by signals, and is deleted. Returns the id of its workflow. */
async function pausedAndDeleted({ done, test_key, temporal }: Stack): Promise<string> {
  const receiver = await aReceiver();
  const created = { url: receiver.url, types: ['customer.*'] };
  const { id } = await done<{ id: string }>(test_key, 'POST', '/v1/webhook-endpoints', created);
  const workflow_id = webhookWorkflowIdOf(id);
  const handle = temporal.client.workflow.getHandle(workflow_id);
  const status = async () =>
    (await done<{ status: string }>(test_key, 'GET', `/v1/webhook-endpoints/${id}`)).status;
  const arrived = async (external_id: string) => {
    await done(test_key, 'POST', '/v1/customers', { external_id });
    await eventually(
      async () => receiver.posted.some(({ change }) => change['customer_id'] === external_id),
      Boolean,
    );
  };
  await arrived('c-first');
  for (const [signal, left] of [
    ['pause', 'paused'],
    ['resume', 'active'],
  ] as const) {
    await handle.signal(signal);
    await eventually(status, (found) => found === left);
  }
  await arrived('c-second');
  await done(test_key, 'DELETE', `/v1/webhook-endpoints/${id}`);
  await handle.result();
  return workflow_id;
}

/** Records a plan migration of two batches, and the run that undoes its changes. Returns the id of its workflow. */
async function movedAndTakenBack({ done, test_key: key, temporal }: Stack): Promise<string> {
  const { plan_id: from_plan_id, currency } = await planOf(done, key);
  const { plan_id: to_plan_id } = await planOf(done, key);
  for (let made = 0; made < MOVED; made++) {
    const customer_id = `moved-${made}`;
    await done(key, 'POST', '/v1/customers', { external_id: customer_id, currency });
    await done(key, 'POST', '/v1/subscriptions', { customer_id, plan_id: from_plan_id });
  }
  const asked = { from_plan_id, to_plan_id, at: 'period_end' };
  const { id } = await done<{ id: string }>(key, 'POST', '/v1/plan-migrations', asked);
  const handle = temporal.client.workflow.getHandle(migrationWorkflowIdOf(id));
  await handle.result();
  await done(key, 'POST', `/v1/plan-migrations/${id}/take-back`);
  await eventually(
    () => done<{ finished_at: string | null }>(key, 'GET', `/v1/plan-migrations/${id}`),
    ({ finished_at }) => finished_at !== null,
  );
  await handle.result();
  return migrationWorkflowIdOf(id);
}

async function planOf(done: Stack['done'], key: string): Promise<{ plan_id: string; currency: string }> {
  const charges = [{ event_name: 'api_call', pricing_model: 'flat', flat_amount: '10' }];
  type Made = { id: string; currency: string };
  const made = await done<Made>(key, 'POST', '/v1/pricing-plans', { name: 'Plan', charges });
  return { plan_id: made.id, currency: made.currency };
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

function recordSubscription(name: string, subscription_id: string, runs_min = 1): Promise<void> {
  return record(SUBSCRIPTIONS, name, workflowIdOf(subscription_id), runs_min);
}

/** Writes every run of a workflow, at least `runs_min`, without host names. */
async function record(folder: URL, name: string, workflowId: string, runs_min = 1): Promise<void> {
  const { workflow } = stack.temporal.client;
  // Wait until the list shows all runs, and until the last one has no task that runs.
  const runs = await eventually(
    () => runsOf(workflowId),
    (found) => found.length >= runs_min,
  );
  await eventually(
    async () => (await workflow.getHandle(workflowId).fetchHistory()).events!.at(-1)!,
    (last) => !last.workflowTaskScheduledEventAttributes && !last.workflowTaskStartedEventAttributes,
  );
  let run = 0;
  for (const { runId } of runs.sort((a, b) => a.startTime.getTime() - b.startTime.getTime())) {
    const history = await workflow.getHandle(workflowId, runId).fetchHistory();
    const json = historyToJSON(history)
      .replaceAll(/"identity": "[^"]*"/g, '"identity": "worker"')
      .replaceAll(/"stackTrace": "(?:[^"\\]|\\.)*"/g, '"stackTrace": ""');
    const file = new URL(`${version}-${name}-${++run}.json`, folder);
    rmSync(file, { force: true });
    writeFileSync(file, `${json}\n`);
    console.log(file.pathname.split('/').at(-1), history.events?.length, 'events');
  }
}
