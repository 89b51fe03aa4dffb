/** Series in promtool's notation, a value a step: `0+5x10` is 0, 5, and so on, up to 50; `_` is no value. */
type Series = Readonly<Record<string, string>>;

/** The state at a minute, and the alerts that fire then, each once for each of its label sets. */
export type Case = {
  what: string;
  /** Minutes between two values and two evaluations; 1 by default. */
  step?: number;
  series: Series;
  minute: number;
  fire: readonly string[];
};

const API = `{job="tidemark-api", instance="api:9464"}`;
/** The series of an installation in which all is well. */
export const UP: Series = {
  [`up${API}`]: '1x400',
  'up{job="tidemark-worker", instance="worker:9465"}': '1x400',
  [`tidemark_invariants_checked_timestamp_seconds${API}`]: '0+60x400',
};
const requests = (route: string, status: string) =>
  `tidemark_http_requests_total{job="tidemark-api", method="POST", route="${route}", status="${status}"}`;
const took = (route: string, le: string) =>
  `tidemark_http_request_duration_seconds_bucket{job="tidemark-api", route="${route}", le="${le}"}`;
const waited = (le: string, task: 'activity' | 'workflow_task') =>
  `temporal_${task}_schedule_to_start_latency_seconds_bucket{job="tidemark-worker", le="${le}"}`;
const CREATED = 'tidemark_events_total{job="tidemark-api", outcome="created"}';
const WEEK_MINUTES = 7 * 24 * 60;

/** Cases with at least one state for each alert in which it fires, and states close to it in which it does not. */
export const CASES: readonly Case[] = [
  { what: 'all is well', series: UP, minute: 300, fire: [] },
  {
    what: 'no API answers',
    series: { ...UP, [`up${API}`]: '1x9 0x20' },
    minute: 13,
    fire: ['TidemarkApiDown'],
  },
  {
    what: 'one worker of two answers',
    series: { ...UP, 'up{job="tidemark-worker", instance="second:9465"}': '0x20' },
    minute: 10,
    fire: ['TidemarkProcessDown'],
  },
  {
    what: 'no worker is known any more',
    series: { ...UP, 'up{job="tidemark-worker", instance="worker:9465"}': '1x9 stale' },
    minute: 13,
    fire: ['TidemarkWorkerDown'],
  },
  {
    what: 'a request failed',
    series: { ...UP, [requests('/v1/customers', '500')]: '0x5 1x20' },
    minute: 8,
    fire: ['TidemarkHttpErrors'],
  },
  {
    what: 'a request failed long ago, others were refused, and a process was not ready',
    series: {
      ...UP,
      [requests('/v1/customers', '500')]: '0x5 1x40',
      [requests('/v1/events', '429')]: '0+60x40',
      [requests('/readyz', '503')]: '0+4x40',
    },
    minute: 30,
    fire: [],
  },
  {
    what: 'a fiftieth of the batches takes up to 2.5 seconds',
    series: {
      ...UP,
      [took('/v1/events/batch', '1')]: '0+98x40',
      [took('/v1/events/batch', '2.5')]: '0+100x40',
      [took('/v1/events/batch', '+Inf')]: '0+100x40',
    },
    minute: 30,
    fire: ['TidemarkSlowEvents'],
  },
  {
    what: 'a report takes a minute, events do not',
    series: {
      ...UP,
      [took('/v1/usage-report', '1')]: '0x40',
      [took('/v1/usage-report', '60')]: '0+100x40',
      [took('/v1/usage-report', '+Inf')]: '0+100x40',
      [took('/v1/events', '1')]: '0+100x40',
      [took('/v1/events', '+Inf')]: '0+100x40',
    },
    minute: 30,
    fire: [],
  },
  {
    what: 'no events come at an hour at which there were 6,000 a week ago',
    step: 20,
    series: { [CREATED]: `0+2000x9 18000x${WEEK_MINUTES / 20}` },
    minute: WEEK_MINUTES + 120,
    fire: ['TidemarkApiDown', 'TidemarkInvariantsNeverChecked', 'TidemarkNoEvents', 'TidemarkWorkerDown'],
  },
  {
    what: 'no events come at an hour at which there were 60 a week ago',
    step: 20,
    series: { [CREATED]: `0+20x9 180x${WEEK_MINUTES / 20}` },
    minute: WEEK_MINUTES + 120,
    fire: ['TidemarkApiDown', 'TidemarkInvariantsNeverChecked', 'TidemarkWorkerDown'],
  },
  {
    what: 'requests wait for a connection',
    series: {
      ...UP,
      'tidemark_pool_connections{job="tidemark-api", instance="api:9464", pool="requests", state="waiting"}':
        '3x40',
      'tidemark_pool_connections{job="tidemark-worker", instance="worker:9465", pool="activities", state="idle"}':
        '3x40',
    },
    minute: 10,
    fire: ['TidemarkConnectionsBusy'],
  },
  {
    what: 'two processes count the same events that are not rolled up',
    series: {
      ...UP,
      'tidemark_events_not_rolled_up{instance="api:9464"}': '20001x40',
      'tidemark_events_not_rolled_up{instance="second:9464"}': '20001x40',
    },
    minute: 15,
    fire: ['TidemarkRollupBehind'],
  },
  {
    what: 'a bulk load is rolled up in time',
    series: { ...UP, 'tidemark_events_not_rolled_up{instance="api:9464"}': '0x5 100000x8 0x20' },
    minute: 13,
    fire: [],
  },
  {
    what: 'a live subscription needs attention, two of test data do',
    series: {
      ...UP,
      'tidemark_subscriptions_needing_attention{environment="live"}': '1x10',
      'tidemark_subscriptions_needing_attention{environment="test"}': '2x10',
    },
    minute: 2,
    fire: ['TidemarkNeedsAttention'],
  },
  {
    what: 'test data need attention',
    series: { ...UP, 'tidemark_subscriptions_needing_attention{environment="test"}': '2x10' },
    minute: 2,
    fire: [],
  },
  {
    what: 'a job skips customers',
    series: { ...UP, 'tidemark_customers_set_aside{background_job="rollup", environment="live"}': '2x40' },
    minute: 20,
    fire: ['TidemarkCustomersSetAside'],
  },
  {
    what: 'two invariants are breached, a third is not',
    series: {
      ...UP,
      'tidemark_invariant_breaches{invariant="I1"}': '1x10',
      'tidemark_invariant_breaches{invariant="I2"}': '5x10',
      'tidemark_invariant_breaches{invariant="I3"}': '0x10',
    },
    minute: 2,
    fire: ['TidemarkInvariantBreaches', 'TidemarkInvariantBreaches'],
  },
  {
    what: 'the last check is old',
    series: { ...UP, [`tidemark_invariants_checked_timestamp_seconds${API}`]: '0x200' },
    minute: 126,
    fire: ['TidemarkInvariantsNotChecked'],
  },
  {
    what: 'nothing was ever checked',
    series: { ...UP, [`tidemark_invariants_checked_timestamp_seconds${API}`]: '_x200' },
    minute: 121,
    fire: ['TidemarkInvariantsNeverChecked'],
  },
  {
    what: 'a new database was not checked yet',
    series: { ...UP, [`tidemark_invariants_checked_timestamp_seconds${API}`]: '_x200' },
    minute: 110,
    fire: [],
  },
  {
    what: 'live invoices get no number',
    series: { ...UP, 'tidemark_accounts_without_numbering{instance="api:9464"}': '1x10' },
    minute: 3,
    fire: ['TidemarkNumberingWithheld'],
  },
  {
    what: 'the numbers were compared after a start of PostgreSQL',
    series: { ...UP, 'tidemark_accounts_without_numbering{instance="api:9464"}': '0 1 0x10' },
    minute: 3,
    fire: [],
  },
  ...(['activity', 'workflow_task'] as const).map((task) => ({
    what: `a tenth of the steps waits longer than a minute: ${task}`,
    series: {
      ...UP,
      [waited('10', task)]: '0+90x60',
      [waited('100', task)]: '0+90x60',
      [waited('1000', task)]: '0+100x60',
      [waited('+Inf', task)]: '0+100x60',
    },
    minute: 40,
    fire: ['TidemarkStepsLate'],
  })),
  {
    what: 'closes wait for twelve minutes',
    series: { ...UP, 'tidemark_closes_waiting{job="tidemark-worker"}': '0x3 5x40' },
    minute: 16,
    fire: ['TidemarkClosesWait'],
  },
  {
    what: 'changes wait for a number',
    series: { ...UP, [`tidemark_changes_lag_seconds${API}`]: '0x3 10+60x40' },
    minute: 10,
    fire: ['TidemarkFeedBehind'],
  },
  {
    what: 'a change waited for a number, for a minute',
    series: { ...UP, [`tidemark_changes_lag_seconds${API}`]: '0x8 60 0x40' },
    minute: 9,
    fire: [],
  },
  {
    what: 'a live endpoint is parked, and one of test mode',
    series: {
      ...UP,
      'tidemark_webhook_endpoints{job="tidemark-api", environment="live", status="parked"}': '1x40',
      'tidemark_webhook_endpoints{job="tidemark-api", environment="test", status="parked"}': '1x40',
    },
    minute: 10,
    fire: ['TidemarkWebhookParked'],
  },
  {
    what: 'endpoints are paused',
    series: {
      ...UP,
      'tidemark_webhook_endpoints{job="tidemark-api", environment="live", status="paused"}': '3x40',
      'tidemark_webhook_endpoints{job="tidemark-api", environment="test", status="parked"}': '1x40',
    },
    minute: 10,
    fire: [],
  },
  {
    what: 'closes wait now and then',
    series: { ...UP, 'tidemark_closes_waiting{job="tidemark-worker"}': '5 0 50 7 0 3 2 1 9 0 4 5 0 8 9 3 2' },
    minute: 16,
    fire: [],
  },
  {
    what: 'a node answers no more',
    series: {
      ...UP,
      'tidemark_cluster_node_bytes{job="tidemark-api", node="node-1:5432", content="events"}': '5x40',
      'tidemark_cluster_settling_seconds{job="tidemark-api"}': '0.01x9 stale',
    },
    minute: 14,
    fire: ['TidemarkNodeSilent'],
  },
  {
    what: 'all nodes answer, and a transaction was prepared for some seconds',
    series: {
      ...UP,
      'tidemark_cluster_node_bytes{job="tidemark-api", node="node-1:5432", content="events"}': '5x40',
      'tidemark_cluster_settling_seconds{job="tidemark-api"}': '0.01x40',
      'tidemark_cluster_prepared_seconds{job="tidemark-api"}': '0x5 9x40',
    },
    minute: 14,
    fire: [],
  },
  {
    what: 'a transaction stays prepared',
    series: { ...UP, 'tidemark_cluster_prepared_seconds{job="tidemark-api"}': '0x5 11+60x40' },
    minute: 14,
    fire: ['TidemarkClusterPrepared'],
  },
  {
    what: 'a step fails for half an hour',
    series: {
      ...UP,
      'temporal_activity_execution_failed_total{job="tidemark-worker", activity_type="nextStep"}': '0+1x40',
      'temporal_activity_execution_failed_total{job="tidemark-worker", activity_type="issueInvoice"}': '5x40',
    },
    minute: 30,
    fire: ['TidemarkStepsFail'],
  },
];
