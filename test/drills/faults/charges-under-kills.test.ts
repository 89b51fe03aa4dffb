import assert from 'node:assert/strict';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { inheritedEnvironment } from '../../../src/settings/config.ts';
import type { CollectedInvoice } from '../../../src/db/collection/open-attempts.ts';
import { atEnd } from '../../support/servers/at-end.ts';
import { FLAT, requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';
import type { Json } from '../../support/servers/api.ts';
import { eventually } from '../../support/servers/eventually.ts';
import { useStack } from '../../support/servers/stack.ts';
import { TEST_KEY } from '../../support/servers/stripe-stand-in.ts';
import { temporalAddress } from '../../support/servers/temporal.ts';
import { useStripe } from '../../support/servers/use-stripe.ts';

/** The whole drill: `CHARGE_INVOICES=1000 npm test -- test/drills/faults/charges-under-kills.test.ts`. */
const { CHARGE_INVOICES = '100' } = inheritedEnvironment();
const INVOICES = Number(CHARGE_INVOICES);
const WAITING_INVOICES = 20;
const AT_ONCE = 20;
const DAY_MS = 86_400_000;
const WORKER = fileURLToPath(new URL('../../../worker/main.ts', import.meta.url));

/** billing.md 20: one charge and one payment an invoice, whatever is killed, cut or down. */
describe('charges under kills', function () {
  this.timeout(3_600_000);
  const { settings, stripe } = useStripe();
  const stack = useStack(settings);
  const customers = testCustomersOn(requestsTo(stack));
  const { done, read, post } = customers;
  let plan: string;
  let made = 0;

  before(async () => {
    await done('/v1/payment-providers', { kind: 'stripe', secret_key: TEST_KEY });
    plan = await customers.plan([FLAT]);
  });

  async function inGroups<Item, Result>(
    items: readonly Item[],
    work: (item: Item) => Promise<Result>,
  ): Promise<Result[]> {
    const results: Result[] = [];
    for (let from = 0; from < items.length; from += AT_ONCE)
      results.push(...(await Promise.all(items.slice(from, from + AT_ONCE).map(work))));
    return results;
  }

  /** Open invoices of 49.00 of as many customers with a card. */
  async function openInvoices(count: number): Promise<string[]> {
    const ids = Array.from({ length: count }, () => `payer-${++made}`);
    await inGroups(ids, async (external_id) => {
      await done('/v1/customers', { external_id });
      stripe().completePage((await done(`/v1/customers/${external_id}/payment-method-sessions`)).url);
    });
    const { pool } = stack();
    await pool.query('update payment_pages set next_read_at = now() where next_read_at is not null');
    await eventually(
      async () =>
        (await pool.query<{ count: number }>('select count(*)::integer as count from payment_methods')).rows,
      ([methods]) => methods!.count === made,
    );
    const to = new Date(Date.now() + 32 * DAY_MS).toISOString();
    return inGroups(ids, async (customer_id) => {
      await customers.subscribe(customer_id, plan);
      await customers.advance(customer_id, to);
      return (await read(`/v1/invoices?customer_id=${customer_id}&status=open`)).data[0].id;
    });
  }

  const charge = async (invoice: string): Promise<Json> =>
    (await post(`/v1/invoices/${invoice}/charge`, {}, { headers: { 'Idempotency-Key': `of-${invoice}` } }))
      .body;

  const open = async (): Promise<CollectedInvoice[]> =>
    (
      await stack().pool.query<CollectedInvoice>(
        `select environment_id, invoice_id from payment_attempts where status in ('pending', 'processing')`,
      )
    ).rows;

  /** Ends the waits for a provider that did not answer, of a minute and more. */
  const wakeOpen = async (): Promise<void> => void (await stack().temporal.wakeCollections(await open()));

  async function assertOnce(invoices: readonly string[]): Promise<void> {
    for (const id of invoices) {
      assert.deepEqual(
        stripe()
          .chargesOf(id)
          .map(({ amount }) => amount),
        [4900],
        id,
      );
      const { status, amount_paid, payments } = await read(`/v1/invoices/${id}`);
      assert.deepEqual([status, amount_paid, payments.length], ['paid', '49.00', 1], id);
      const attempts = (await read(`/v1/payment-attempts?invoice_id=${id}`)).data;
      assert.deepEqual(
        attempts.map((attempt: Json) => [attempt.status, attempt.payment_id]),
        [['succeeded', payments[0].id]],
        id,
      );
    }
  }

  async function aWorker(): Promise<ChildProcess> {
    const child = fork(WORKER, {
      execArgv: [],
      env: {
        ...inheritedEnvironment(),
        DATABASE_URL: stack().pool.options.connectionString,
        TEMPORAL_ADDRESS: await temporalAddress(),
        STRIPE_API_URL: stripe().url,
        TIDEMARK_SECRET: 'secret of a test',
        LOG_LEVEL: 'silent',
      },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    atEnd(() => void child.kill('SIGKILL'));
    await once(child, 'message');
    return child;
  }

  /** Kills one worker after another at any moment, and cuts answers, until the signal; then one works undisturbed. */
  async function disturb(signal: AbortSignal): Promise<{ killed: number; cut: number }> {
    const faults = { killed: 0, cut: 0 };
    while (!signal.aborted) {
      const worker = await aWorker();
      const ends_at = performance.now() + 1000 + Math.random() * 4000;
      for (let asked = -1; performance.now() < ends_at; await pause(Math.random() * 200)) {
        if (asked === stripe().asked.length) continue;
        asked = stripe().asked.length;
        stripe().faultNext(/./, 'lose_answer');
        faults.cut++;
        await wakeOpen();
      }
      const exited = once(worker, 'exit');
      worker.kill('SIGKILL');
      await exited;
      faults.killed++;
    }
    return faults;
  }

  it(`${INVOICES} invoices are each charged once and booked once`, async () => {
    const invoices = await openInvoices(INVOICES);
    await stack().whileAway(async () => {
      const ending = new AbortController();
      const disturbed = disturb(ending.signal);
      await inGroups(invoices, charge).finally(() => ending.abort());
      const { killed, cut } = await disturbed;
      assert.ok(killed > 0 && cut > 0, `${killed} kills, ${cut} cuts`);
    });
    await eventually(
      async () => {
        await wakeOpen();
        return open();
      },
      ({ length }) => length === 0,
      600_000,
    );
    await assertOnce(invoices);
  });

  it('a day without the provider: charges wait, none is counted, and then each is made once', async () => {
    const invoices = await openInvoices(WAITING_INVOICES);
    // Prepared there, and not known here.
    for (let lost = 0; lost < 5; lost++) stripe().faultNext(/POST .*payment_intents$/, 'lose_answer');
    await inGroups(invoices.slice(0, 5), charge);
    stripe().down();
    const attempts = await inGroups(invoices, charge);
    assert.ok(attempts.every(({ status }) => status === 'pending'));
    const provider = async (): Promise<string> => (await read('/v1/payment-providers')).data[0].status;
    assert.equal(await provider(), 'failing');
    // Stripe drops the keys of requests after 24 hours.
    stripe().passTime(DAY_MS + 1);
    await wakeOpen();
    assert.equal((await open()).length, WAITING_INVOICES);
    stripe().up();
    await eventually(
      async () => {
        await wakeOpen();
        return open();
      },
      ({ length }) => length === 0,
    );
    assert.equal(await provider(), 'active');
    await assertOnce(invoices);
  });
});
