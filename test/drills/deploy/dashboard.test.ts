import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { readConfig } from '../../../src/settings/config.ts';
import { seedAccount } from '../../../src/db/account/accounts.ts';
import { createPool, type Pool } from '../../../src/db/connection/pool.ts';
import { setAside, type Customer } from '../../../src/db/customers/set-aside.ts';
import { connectTemporal, type Temporal } from '../../../src/temporal/temporal.ts';
import { CHECK_SCHEDULE } from '../../../workflows/messages.ts';
import { send } from '../../support/servers/api.ts';
import { createDatabase } from '../../support/servers/cluster.ts';
import { eventually } from '../../support/servers/eventually.ts';
import { startApiProgram, startWorkerProgram } from '../../support/servers/programs.ts';
import { labelsOfScrape, selectorsOf } from '../../support/sources/promql.ts';
import { daysAgo } from '../../support/ledger/subscriptions.ts';
import { useTemporal } from '../../support/servers/temporal.ts';
import { testCustomersOn } from '../../support/ledger/test-customer.ts';

const read = (path: string) => readFileSync(new URL(`../../../deploy/${path}`, import.meta.url), 'utf8');

type Panel = {
  id: number;
  type: string;
  title: string;
  description?: string;
  gridPos: { x: number; y: number; w: number; h: number };
  targets?: { expr: string; legendFormat: string }[];
};
const dashboard: { panels: Panel[] } = JSON.parse(read('grafana/tidemark.json'));
const rules: { expr: string; alert: string }[] = parse(read('prometheus/rules.yml')).groups.flatMap(
  (group: { rules: unknown[] }) => group.rules,
);

/** Every expression with the place that it stands at. */
const EXPRESSIONS = [
  ...rules.map(({ alert, expr }) => ({ place: alert, expr })),
  ...dashboard.panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => ({ place: title, expr })),
  ),
];
/** Metrics that one machine has not, with their labels; test/cluster reads them from nodes. */
const OF_CLUSTER: [name: string, labels: string[]][] = [
  ['tidemark_cluster_prepared_seconds', []],
  ['tidemark_cluster_settling_seconds', []],
  ['tidemark_cluster_node_bytes', ['node', 'content']],
];
/** Labels that Prometheus itself adds to every series of a scrape. */
const OF_PROMETHEUS = ['job', 'instance'];

describe('the expressions of deploy/', function () {
  this.timeout(300_000);
  const temporal_address = useTemporal();
  let pool: Pool;
  let temporal: Temporal;
  let known: Map<string, Set<string>>;

  /** One of everything that has a metric of its own: an invoice, an email, a parked subscription, a customer set aside, a check. */
  async function live(api_url: string, live_key: string): Promise<void> {
    const given = testCustomersOn((path, sent = {}) => send(api_url + path, { key: live_key, ...sent }));
    const charges = [{ event_name: 'api_call', pricing_model: 'per_unit', unit_amount: '1' }];
    const plan = await given.plan(charges);
    const customer = await given.customer({}, null);
    await given.use(customer, [{}, {}]);
    await given.post('/v1/events', { event_name: 'api_call', customer_id: 'nobody', idempotency_key: 'x' });
    // Not an error of class 22 or 23, so the step fails as a local activity, and again and again as a regular one.
    await pool.query(
      `create function refuse() returns trigger language plpgsql as $$ begin raise 'not now'; end $$;
       create trigger refuse before update on invoices for each row when (new.status <> 'draft') execute function refuse()`,
    );
    await given.subscribe(customer, plan, { start_date: daysAgo(40) });
    const { rows } = await pool.query<Customer>('select environment_id, id as customer_id from customers');
    await setAside(pool, 'rollup', rows, 'a reason');
    // A provider that nobody asks.
    await pool.query(
      `insert into payment_providers (environment_id, id, kind, account, secret_key, key_last_four, webhook_url, created_by)
       select id, 'pp_1', 'stripe', 'acct_1', '', '0000', 'http://localhost', 'key_1' from environments where livemode`,
    );
    // The email of a payment in advance.
    await pool.query(`update environments set email_kinds = '["receipt"]'`);
    await given.done(`/v1/customers/${customer}/payments`, { amount: '1.00' });
    // Nothing answers there: a try that fails.
    await given.post('/v1/webhook-endpoints', { url: 'https://webhooks.invalid/', after: 0 });
    await temporal.client.schedule.getHandle(CHECK_SCHEDULE).trigger();
  }

  before(async () => {
    const database_url = await createDatabase();
    const { live_key } = await seedAccount(database_url, null);
    const settings = {
      DATABASE_URL: database_url,
      TEMPORAL_ADDRESS: temporal_address(),
      GRACE_PERIOD: '0s',
      LOG_LEVEL: 'silent',
    };
    pool = createPool(database_url, 2);
    temporal = connectTemporal(readConfig(settings));
    const [api, worker] = await Promise.all([startApiProgram(settings), startWorkerProgram(settings)]);
    await Promise.all([api.ready, worker.ready]);
    await live(api.url, live_key);
    const scrape = async () => {
      const texts = [api.metrics_url, `${worker.url}/metrics`].map(async (url) => (await fetch(url)).text());
      return labelsOfScrape((await Promise.all(texts)).join('\n'));
    };
    known = await eventually(
      scrape,
      (found) =>
        found.has('temporal_activity_execution_failed_total') &&
        found.has('tidemark_invariant_breaches') &&
        found.has('tidemark_emails') &&
        found.has('tidemark_payment_provider_failing') &&
        found.has('tidemark_webhook_deliveries_total'),
    );
    for (const [name, labels] of OF_CLUSTER) known.set(name, new Set(labels));
    await Promise.all([api.end(), worker.end()]);
  });
  after(async () => {
    await temporal.close();
    await pool.end();
  });

  it('name metrics that the API and the worker have, with labels that these have', () => {
    const faults = EXPRESSIONS.flatMap(({ place, expr }) => {
      const { selectors, grouped } = selectorsOf(expr);
      assert.ok(selectors.length > 0, `${place}: ${expr}`);
      const labelsOf = (metric: string) => [
        ...OF_PROMETHEUS,
        ...(metric === 'up' ? [] : (known.get(metric) ?? [])),
      ];
      const of_all = selectors.flatMap(({ metric }) => labelsOf(metric));
      return [
        ...selectors.flatMap(({ metric, labels }) => [
          ...(metric === 'up' || known.has(metric) ? [] : [`${place}: no metric ${metric}`]),
          ...labels
            .filter((label) => !labelsOf(metric).includes(label))
            .map((label) => `${place}: ${metric} has no label ${label}`),
        ]),
        ...grouped.filter((label) => !of_all.includes(label)).map((label) => `${place}: no label ${label}`),
      ];
    });
    assert.deepEqual(faults, []);
  });

  it('leave out no metric of ours but the pure counts of a histogram', () => {
    const used = new Set(EXPRESSIONS.flatMap(({ expr }) => selectorsOf(expr).selectors.map((s) => s.metric)));
    const unused = [...known.keys()].filter((name) => name.startsWith('tidemark_') && !used.has(name));
    const histograms = ['close_group_size', 'close_seconds', 'http_request_duration_seconds'];
    const pure_counts = histograms.flatMap((name) => [`tidemark_${name}_count`, `tidemark_${name}_sum`]);
    assert.deepEqual(unused.sort(), pure_counts);
  });

  it('are those of docs/operations.md, which names no metric of Temporal that is not there', () => {
    const text = readFileSync(new URL('../../../docs/operations.md', import.meta.url), 'utf8');
    const named = [...new Set([...text.matchAll(/`(temporal_\w+)`/g)].map(([, name]) => name!))];
    assert.ok(named.length >= 5, `${named.length} metrics`);
    assert.deepEqual(
      named.filter((name) => !known.has(name) && !known.has(`${name}_bucket`)),
      [],
    );
  });
});

describe('deploy/grafana/tidemark.json', () => {
  const { panels } = dashboard;

  it('has panels that say what they show, each in a place of its own', () => {
    assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length);
    const taken = new Map<string, string>();
    for (const { type, title, description, gridPos, targets = [] } of panels) {
      assert.ok(type === 'row' || (description !== undefined && targets.length > 0), title);
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++)
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
          assert.ok(x < 24 && !taken.has(`${x} ${y}`), `${title} covers ${taken.get(`${x} ${y}`)}`);
          taken.set(`${x} ${y}`, title);
        }
    }
  });

  it('names in each legend labels by which the expression is grouped', () => {
    for (const { title, targets = [] } of panels)
      for (const { expr, legendFormat } of targets) {
        const { grouped } = selectorsOf(expr);
        const known = grouped.length > 0 ? grouped : OF_PROMETHEUS;
        for (const [, label] of legendFormat.matchAll(/\{\{(\w+)\}\}/g))
          assert.ok(known.includes(label!), `${title}: ${label}`);
      }
  });
});
