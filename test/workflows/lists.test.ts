import assert from 'node:assert/strict';
import { listsOf, workflowLists } from '../../api/dashboard/workflow-lists.ts';
import { subscriptionIdOf, webhookWorkflowIdOf, workflowIdOf } from '../../workflows/messages.ts';
import type { Json } from '../support/servers/api.ts';
import { eventually } from '../support/servers/eventually.ts';
import { activityOf, RETRIES_OF_LOST_TASKS } from '../support/servers/histories.ts';
import { testCustomersOn, requestsTo } from '../support/ledger/test-customer.ts';
import { useStack } from '../support/servers/stack.ts';
import { daysAgo, subscriptionsOf } from '../support/ledger/subscriptions.ts';

describe('a page of the Temporal UI', function () {
  const stack = useStack({ GRACE_PERIOD: '1h' });
  const { handleOf, subscribe, invoicesOf, aHeldDraft, aParked } = subscriptionsOf(stack);
  const post = (path: string, body: object) => stack().done<Json>(stack().live_key, 'POST', path, body);

  /** One subscription per state, by the name of the state; `clocked` has a test clock, `caught_up` has closed a period. Two endpoints besides. */
  const ways: Record<string, () => Promise<string>> = {
    not_started: async () => (await subscribe({ start_date: daysAgo(-2) })).id,
    in_trial: async () => (await subscribe({ trial_end_date: daysAgo(-2) })).id,
    collecting: async () => (await subscribe({ start_date: daysAgo(2) })).id,
    caught_up: () => aBilled(),
    held: async () => (await aHeldDraft()).subscription.id,
    late: async () => {
      const { id } = await subscribe({ start_date: daysAgo(2) });
      await post(`/v1/subscriptions/${id}/cancel`, { at: 'now' });
      const [last] = await invoicesOf(id, ({ length }) => length === 1);
      await post(`/v1/invoices/${last!.id}/finalize`, {});
      return id;
    },
    parked: async () => (await aParked()).subscription.id,
    ended: async () => {
      const { id } = await subscribe({ trial_end_date: daysAgo(-2) });
      await post(`/v1/subscriptions/${id}/cancel`, { at: 'now' });
      return id;
    },
    clocked: async () => {
      const lives = testCustomersOn(requestsTo(stack));
      const charges = [{ event_name: 'api_call', pricing_model: 'flat', flat_amount: '1' }];
      return (await lives.subscribe(await lives.customer(), await lives.plan(charges))).id;
    },
  };

  async function aBilled(): Promise<string> {
    const { id } = await subscribe({ start_date: daysAgo(40) });
    await invoicesOf(id, ([invoice]) => invoice?.number !== null);
    return id;
  }

  /** The workflow of an endpoint to which nothing is sent. */
  async function anEndpoint(): Promise<string> {
    const { id } = await post('/v1/webhook-endpoints', {
      url: 'http://127.0.0.1:9/',
      types: ['account.updated'],
    });
    return webhookWorkflowIdOf(id);
  }

  async function aParkedEndpoint(): Promise<string> {
    const workflow_id = await anEndpoint();
    await stack().pool.query(`update webhook_endpoints set status = 'parked' where 'webhook-' || id = $1`, [
      workflow_id,
    ]);
    // Its workflow is started after the commit.
    await eventually(
      () =>
        stack()
          .temporal.client.workflow.getHandle(workflow_id)
          .signal('wake')
          .then(
            () => true,
            () => false,
          ),
      Boolean,
    );
    return workflow_id;
  }

  /** Names by ids of workflows. */
  const made = new Map<string, string>();
  before(async () => {
    for (const [name, make] of Object.entries(ways)) made.set(workflowIdOf(await make()), name);
    made.set(await anEndpoint(), 'endpoint');
    made.set(await aParkedEndpoint(), 'parked_endpoint');
  });

  const idOf = (wanted: string) => subscriptionIdOf([...made].find(([, name]) => name === wanted)![0]);

  /** Names of this test's workflows that a filter selects, one for every run. */
  async function selected(query: string): Promise<string[]> {
    const names: string[] = [];
    for await (const { workflowId } of stack().temporal.client.workflow.list({ query })) {
      const name = made.get(workflowId);
      if (name !== undefined) names.push(name);
    }
    return names.sort();
  }

  const live = ['not_started', 'in_trial', 'collecting', 'caught_up', 'held', 'late', 'parked'];
  const selections: Record<string, string[]> = {
    subscriptions: [...live, 'clocked'],
    'live subscriptions': live,
    'needs attention': ['parked'],
    overdue: [],
    'drafts held for late events': ['held'],
    'in trial': ['in_trial'],
    'not started yet': ['not_started'],
    'collecting usage': ['collecting', 'caught_up', 'clocked'],
    'canceled, collecting late usage': ['late'],
    'checks of the data': [],
    'webhook endpoints': ['endpoint', 'parked_endpoint'],
    'webhook endpoints that are parked': ['parked_endpoint'],
    'invoices that are charged': [],
    'invoices whose next charge is planned': [],
    'charges that wait for the provider': [],
  };
  for (const { name, query } of workflowLists(new Date().toISOString())) {
    it(`lists as "${name}" exactly the expected workflows`, async () => {
      const expected = selections[name]!.sort();
      await eventually(
        () => selected(query),
        (names) => names.join() === expected.join(),
      );
    });
  }

  it('lists as overdue every workflow whose instant is long past, and none that waits for a signal', async () => {
    const { query } = workflowLists('9000-01-01T00:00:00Z').find(({ name }) => name === 'overdue')!;
    assert.deepEqual(await selected(query), live.filter((name) => name !== 'parked').sort());
  });

  it('lists one customer, and every period of one subscription', async () => {
    const subscription_id = idOf('caught_up');
    const { rows } = await stack().pool.query('select customer_id from subscriptions where id = $1', [
      subscription_id,
    ]);
    const lists = listsOf({ subscription_id, customer_id: rows[0].customer_id });
    const found = await Promise.all(lists.map(({ query }) => selected(query)));
    assert.deepEqual(found, [['caught_up'], ['caught_up']]);
  });

  /** STYLE.md, "Frozen": saved filters of operators contain these values. */
  const STATES: [name: string, state: string][] = [
    ['not_started', 'waits_for_start'],
    ['in_trial', 'in_trial'],
    ['collecting', 'collecting_usage'],
    ['late', 'collecting_late_usage'],
    ['held', 'draft_held'],
    ['parked', 'needs_attention'],
    ['ended', 'ended'],
  ];
  for (const [name, state] of STATES) {
    it(`the value of BillingState is ${state} if it is ${name}`, () =>
      eventually(
        () => selected(`BillingState = '${state}'`),
        (names) => names.includes(name),
      ));
  }

  const details: [name: string, said: RegExp][] = [
    ['not_started', /^\*\*Not started\.\*\* The subscription starts at .*; then the first period runs/],
    [
      'in_trial',
      /^\*\*In trial\*\* until .*; then the first billing period starts\. The trial has no invoice/,
    ],
    [
      'collecting',
      /^\*\*Collecting usage\*\* of .*; then the invoice is created as a draft and held for late events/,
    ],
    ['caught_up', /, last invoice `inv_/],
    ['held', /^\*\*Draft held:\*\* `inv_.*; then .* issued\.[^]*`finalizeInvoice` with the id of the draft/],
    ['late', /^\*\*Collecting late usage:\*\*/],
    ['parked', /^\*\*Needs attention:\*\* .*parked[^]*then send the signal `wake`/],
    ['clocked', /then the invoice is created and issued\.[^]*test clock\. Its time is/],
  ];
  for (const [name, said] of details) {
    it(`says what ${name} waits for, in the current run`, async () => {
      const metadata = await handleOf(idOf(name)).query<Json>('__temporal_workflow_metadata');
      assert.match(metadata.currentDetails, said);
      assert.match(metadata.currentDetails, /^\*\*Ids:\*\* customer `cus_.*, plan `plan_/m);
      const described = metadata.definition.signalDefinitions.filter((signal: Json) => signal.description);
      assert.equal(described.length, 6);
    });
  }

  it('says what the last bill was', async function () {
    this.retries(RETRIES_OF_LOST_TASKS);
    const said =
      /^\*\*Last bill:\*\* .*`aggregateUsage`: \d+ lines? on `inv_.*`applyCredits`: 0 .*`issueInvoice`: /m;
    const metadata = await handleOf(await aBilled()).query<Json>('__temporal_workflow_metadata');
    assert.match(metadata.currentDetails, said);
  });

  it('names the timer and the step', async () => {
    const { client } = stack().temporal;
    const summaries: string[] = [];
    const { query } = listsOf({ customer_id: '', subscription_id: idOf('caught_up') })[1]!;
    for await (const { workflowId, runId } of client.workflow.list({ query })) {
      const { events } = await client.workflow.getHandle(workflowId, runId).fetchHistory();
      for (const event of events!)
        if (activityOf(event) !== undefined || event.timerStartedEventAttributes)
          summaries.push(Buffer.from(event.userMetadata?.summary?.data ?? []).toString());
    }
    const begins = summaries.map((summary) => JSON.parse(summary).replace(/ \d{4}-.*/, '')).sort();
    assert.deepEqual([...new Set(begins)], ['bill what is due', 'collecting usage until']);
  });
});
