import { Counter, Gauge, type Registry } from 'prom-client';
import { lastCheck } from '../../src/db/invariants/checks.ts';
import type { Pool } from '../../src/db/connection/pool.ts';
import { countUnread, unreadSeconds } from '../../src/db/changes/consumers.ts';
import { attemptWaitSeconds, readFailing } from '../../src/db/collection/provider-troubles.ts';
import { countEmails, emailWaitSeconds } from '../../src/db/emails/email-counts.ts';
import { countUnrolled } from '../../src/db/events/rollup.ts';
import { countNumbers, countWithoutNumbering } from '../../src/db/invoicing/numbering.ts';
import { countSetAside } from '../../src/db/customers/set-aside.ts';
import { countEndpoints } from '../../src/db/webhooks/endpoints.ts';
import { countAttention } from '../../src/db/subscriptions/subscription-context.ts';

const UNROLLED_SHOWN_MAX = 100_000;
const UNNUMBERED_SHOWN_MAX = 100_000;

/**
 * Adds the metrics that are read from the database, so that every API process shows the same. No values if the database
 * is down.
 */
export function addDatabaseGauges(registry: Registry, pool: Pool): void {
  gaugeLastCheck(registry, pool);
  // Backlog of the rollup. Without a running worker it grows, and bills read more and more events.
  gaugeNumber(registry, {
    name: 'tidemark_events_not_rolled_up',
    help: `Events that are not in the daily totals yet, counted up to ${UNROLLED_SHOWN_MAX}.`,
    read: () => countUnrolled(pool, UNROLLED_SHOWN_MAX),
  });
  gaugeNumber(registry, {
    name: 'tidemark_accounts_without_numbering',
    help: 'Accounts whose live invoices get no number, because the last number is not certain.',
    read: () => countWithoutNumbering(pool),
  });
  gaugeNumber(registry, {
    name: 'tidemark_changes_unnumbered',
    help: `Rows of the log that the feed has not read yet, counted up to ${UNNUMBERED_SHOWN_MAX}.`,
    read: () => countUnread(pool, 'feed', UNNUMBERED_SHOWN_MAX),
  });
  gaugeNumber(registry, {
    name: 'tidemark_changes_lag_seconds',
    help: 'Age of the oldest row of the log that the feed has not read yet.',
    read: () => unreadSeconds(pool, 'feed'),
  });
  gaugeNumber(registry, {
    name: 'tidemark_email_oldest_seconds',
    help: 'Time for which the oldest email that is due has waited for its try.',
    read: () => emailWaitSeconds(pool),
  });
  gaugeEmails(registry, pool);
  gaugeNumber(registry, {
    name: 'tidemark_payment_attempt_oldest_seconds',
    help: 'Time for which the oldest attempt that waits for its payment provider has been open.',
    read: () => attemptWaitSeconds(pool),
  });
  gaugeProviders(registry, pool);
  gaugeEndpoints(registry, pool);
  gaugeAttention(registry, pool);
  gaugeSetAside(registry, pool);
  countInvoiceNumbers(registry, pool);
}

type NumberGauge = { name: string; help: string; read: () => Promise<number | null> };

/** A gauge without labels. While the read fails or returns null it has no value, which is not the same as 0. */
function gaugeNumber(registry: Registry, { name, help, read }: NumberGauge): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    async collect() {
      const value = await read().catch(() => null);
      // reset() would set it to 0.
      if (value === null) this.remove();
      else this.set(value);
    },
  });
}

function gaugeLastCheck(registry: Registry, pool: Pool): void {
  // The two gauges of one scrape share one query.
  let reading: ReturnType<typeof lastCheck> | null = null;
  const read = () =>
    (reading ??= lastCheck(pool)
      .catch(() => null)
      .finally(() => (reading = null)));
  gaugeNumber(registry, {
    name: 'tidemark_invariants_checked_timestamp_seconds',
    help: 'Time of the last check of what changed.',
    read: async () => {
      const check = await read();
      return check === null ? null : Date.parse(check.finished_at) / 1000;
    },
  });
  new Gauge({
    name: 'tidemark_invariant_breaches',
    help: 'Open breaches, by invariant: found, and not checked again and sound since.',
    labelNames: ['invariant'],
    registers: [registry],
    async collect() {
      const check = await read();
      this.reset();
      for (const [invariant, count] of Object.entries(check?.counts ?? {}))
        if (count !== null) this.set({ invariant }, count);
    },
  });
}

function gaugeEndpoints(registry: Registry, pool: Pool): void {
  new Gauge({
    name: 'tidemark_webhook_endpoints',
    help: 'Webhook endpoints, by environment and status.',
    labelNames: ['environment', 'status'],
    registers: [registry],
    async collect() {
      const counts = await countEndpoints(pool).catch(() => []);
      this.reset();
      for (const { count, ...labels } of counts) this.set(labels, count);
    },
  });
}

function gaugeEmails(registry: Registry, pool: Pool): void {
  new Gauge({
    name: 'tidemark_emails',
    help: 'Emails that were written in the last four days, by environment and status.',
    labelNames: ['environment', 'status'],
    registers: [registry],
    async collect() {
      const counts = await countEmails(pool).catch(() => []);
      this.reset();
      for (const { count, ...labels } of counts) this.set(labels, count);
    },
  });
}

function gaugeProviders(registry: Registry, pool: Pool): void {
  new Gauge({
    name: 'tidemark_payment_provider_failing',
    help: 'Whether the connected payment provider refuses the key or does not answer, by environment.',
    labelNames: ['environment'],
    registers: [registry],
    async collect() {
      const providers = await readFailing(pool).catch(() => []);
      this.reset();
      for (const { environment, is_failing } of providers) this.set({ environment }, is_failing ? 1 : 0);
    },
  });
}

function gaugeAttention(registry: Registry, pool: Pool): void {
  new Gauge({
    name: 'tidemark_subscriptions_needing_attention',
    help: 'Subscriptions that cannot be billed without manual action, by environment.',
    labelNames: ['environment'],
    registers: [registry],
    async collect() {
      const counts = await countAttention(pool).catch(() => ({}));
      this.reset();
      for (const [environment, count] of Object.entries(counts)) this.set({ environment }, count);
    },
  });
}

/** A job that set no customer aside has no value. Prometheus gives the label `job` to every series itself. */
function gaugeSetAside(registry: Registry, pool: Pool): void {
  new Gauge({
    name: 'tidemark_customers_set_aside',
    help: 'Customers that a background job skips because it fails for them, by job and environment.',
    labelNames: ['background_job', 'environment'],
    registers: [registry],
    async collect() {
      const counts = await countSetAside(pool).catch(() => []);
      this.reset();
      for (const { count, job, environment } of counts) this.set({ background_job: job, environment }, count);
    },
  });
}

function countInvoiceNumbers(registry: Registry, pool: Pool): void {
  new Counter({
    name: 'tidemark_invoice_numbers_total',
    help: 'Invoice numbers that were given, by environment.',
    labelNames: ['environment'],
    registers: [registry],
    async collect() {
      const counts = await countNumbers(pool).catch(() => ({}));
      this.reset();
      for (const [environment, count] of Object.entries(counts)) this.inc({ environment }, count);
    },
  });
}
