import assert from 'node:assert/strict';
import { traced } from '../../api/http/traced.ts';
import { seedAccount } from '../../src/db/account/accounts.ts';
import { tracing } from '../../src/telemetry/tracing.ts';
import { send } from '../support/servers/api.ts';
import { createDatabase } from '../support/servers/cluster.ts';
import { startCollector, type CollectedSpan } from '../support/servers/collector.ts';
import { eventually } from '../support/servers/eventually.ts';
import { startApiProgram, startWorkerProgram } from '../support/servers/programs.ts';
import { daysAgo } from '../support/ledger/subscriptions.ts';
import { useTemporal } from '../support/servers/temporal.ts';
import { testCustomersOn } from '../support/ledger/test-customer.ts';

const STEP = 'step billNext';
const GROUP = 'bill a group';
const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const SPAN_ID = 'b7ad6b7169203331';
const SECRETS = ['quiet-customer', 'quiet_event', 'quiet-key', 'quiet value'];

describe('traces', function () {
  this.timeout(300_000);
  const temporal_address = useTemporal();
  let spans: CollectedSpan[];
  let bodies: string[];
  let live_key: string;
  const named = (name: string) => spans.filter((span) => span.name === name);
  const below = (parent: CollectedSpan) =>
    spans.filter(({ traceId, parentSpanId }) => traceId === parent.traceId && parentSpanId === parent.spanId);

  before(async () => {
    const collector = await startCollector();
    ({ spans, bodies } = collector);
    const database_url = await createDatabase();
    ({ live_key } = await seedAccount(database_url, null));
    const settings = {
      DATABASE_URL: database_url,
      TEMPORAL_ADDRESS: temporal_address(),
      GRACE_PERIOD: '0s',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_BSP_SCHEDULE_DELAY: '200',
    };
    const [api, worker] = await Promise.all([startApiProgram(settings), startWorkerProgram(settings)]);
    await Promise.all([api.ready, worker.ready]);
    const request = (path: string, sent = {}) => send(api.url + path, { key: live_key, ...sent });
    const given = testCustomersOn(request);
    const customer = 'quiet-customer';
    await given.done('/v1/customers', { external_id: customer });
    const charges = [{ event_name: 'quiet_event', pricing_model: 'per_unit', unit_amount: '1' }];
    const plan = await given.plan(charges);
    await request('/v1/events', {
      method: 'POST',
      headers: { traceparent: `00-${TRACE_ID}-${SPAN_ID}-01` },
      body: {
        event_name: 'quiet_event',
        customer_id: customer,
        idempotency_key: 'quiet-key',
        properties: { a: 'quiet value' },
      },
    });
    const event = { event_name: 'quiet_event', customer_id: customer };
    const events = Array.from({ length: 100 }, (_, number) => ({
      ...event,
      idempotency_key: `quiet-key-${number}`,
    }));
    await given.done('/v1/events/batch', { events });
    await given.subscribe(customer, plan, { start_date: daysAgo(40) });
    await eventually(
      async () => [STEP, GROUP].filter((name) => named(name).length === 0),
      (missing) => missing.length === 0,
    );
    // Ending, each sends what it still has.
    await Promise.all([api.end(), worker.end()]);
  });

  it('show a request in the trace of its client, and the group that its event was stored with', () => {
    const [request] = named('POST /v1/events');
    assert.deepEqual(
      [request!.traceId, request!.parentSpanId, request!.service],
      [TRACE_ID, SPAN_ID, 'tidemark-api'],
    );
    const group = named('store single events').find(({ links = [] }) =>
      links.some(({ spanId }) => spanId === request!.spanId),
    );
    assert.equal(group!.parentSpanId || undefined, undefined);
    const statements = below(group!).map(({ name }) => name);
    assert.ok(
      statements.some((name) => / event_keys$/.test(name)),
      statements.join(),
    );
  });

  it('show the transaction of a request and its statements', () => {
    const [request] = named('POST /v1/customers');
    assert.equal(request!.parentSpanId || undefined, undefined);
    const transaction = below(request!).find(({ name }) => name === 'transaction');
    const statements = below(transaction!).map(({ name }) => name);
    assert.ok(statements.includes('insert customers'), statements.join());
  });

  it('show the copy of a new batch', () => {
    const [request] = named('POST /v1/events/batch');
    const statements = below(request!).map(({ name }) => name);
    assert.ok(statements.includes('copy events'), statements.join());
  });

  it('lead from a request to the steps of the workflow that it signaled, and to the groups that they were done in', () => {
    const [request] = named('POST /v1/subscriptions');
    const signal = below(request!).find(({ name }) => name.startsWith('signal '));
    const { traceId } = signal!.links![0]!;
    const steps = spans.filter((span) => span.traceId === traceId && span.name === STEP);
    assert.ok(steps.length > 0);
    for (const step of steps) {
      assert.deepEqual([step.parentSpanId || undefined, step.service], [undefined, 'tidemark-worker']);
      const group = named(GROUP).find(({ links = [] }) => links.some(({ spanId }) => spanId === step.spanId));
      const transaction = below(group!).find((span) => span.name === 'transaction');
      assert.ok(below(transaction!).length > 0);
    }
  });

  it('have no trace of what runs all the time', () =>
    assert.deepEqual(
      spans.filter(
        ({ parentSpanId, name }) => !parentSpanId && !/^(?:[A-Z]+ \/|step |store |bill a group$)/.test(name),
      ),
      [],
    ));

  it('hold no value of a customer: no key, no body, no id of theirs', () => {
    const sent = bodies.join();
    for (const value of [...SECRETS, live_key]) assert.ok(!sent.includes(value), value);
  });
});

describe('without OTEL_EXPORTER_OTLP_ENDPOINT', () => {
  it('a request is served by the very same function as ever', () => {
    const serve = () => undefined;
    assert.equal(tracing(), null);
    assert.equal(traced(serve), serve);
  });
});
