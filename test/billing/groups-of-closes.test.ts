import assert from 'node:assert/strict';
import fc from 'fast-check';
import { closeAll } from '../../src/billing/close/close.ts';
import { insertInvoiceItem } from '../../src/db/invoicing/invoice-items.ts';
import { moveBalance } from '../../src/db/invoicing/balance.ts';
import { rollUp } from '../../src/db/reports/roll-up.ts';
import { fillDimensions } from '../../src/db/events/rollup-cells.ts';
import { readOnly, transaction, type Pool } from '../../src/db/connection/pool.ts';
import type { CloseRequest } from '../../src/domain/invoice/close-request.ts';
import { newId } from '../../src/keys/ids.ts';
import * as given from '../support/ledger/billing.ts';
import { PLANS, writtenFor } from '../support/ledger/closes.ts';
import { breachesOf } from '../support/ledger/sound.ts';

const JANUARY = '2026-01-01T00:00:00.000Z';
const FEBRUARY = '2026-02-01T00:00:00.000Z';
/** Late windows of January and February are open. */
const SETTINGS = { grace_period_ms: 0, late_usage_days: 3650 };

const anEvent = fc.record({
  event_name: fc.constantFrom('api_call', 'stored', 'seats'),
  timestamp: fc
    .integer({ min: 0, max: 58 })
    .map((day) => new Date(Date.parse(JANUARY) + day * 86_400_000 + 1).toISOString()),
  properties: fc.record({ region: fc.constantFrom('a', 'b', 'c'), n: fc.integer({ min: -3, max: 9 }) }),
});
const events = fc.array(anEvent, { maxLength: 12 });

/** Requests of the first close of January. */
const FIRST = {
  counts: { usage_revision: 1, issues: false },
  shows_credit: { usage_revision: 1, credit_revision: 1, issues: false },
  issues: { usage_revision: 1, credit_revision: 1, issues: true },
} as const;

const aMember = fc.record({
  plan: fc.integer({ min: 0, max: PLANS.length - 1 }),
  before: events,
  late: events,
  is_rolled_up: fc.boolean(),
  grants: fc.array(
    fc.record({
      amount: fc.integer({ min: 1, max: 20 }),
      expires_at: fc.constantFrom(null, '2026-01-15T00:00:00.000Z', '2026-02-10T00:00:00.000Z'),
    }),
    { maxLength: 2 },
  ),
  items: fc.array(
    fc.integer({ min: -30, max: 30 }).filter((amount) => amount !== 0),
    { maxLength: 2 },
  ),
  balance: fc.constantFrom('0', '3', '500'),
  tax_rate: fc.constantFrom('0', '19'),
  first: fc.constantFrom(...(Object.keys(FIRST) as (keyof typeof FIRST)[])),
});

type Subscribed = { customer: given.TestCustomer; subscription_id: string };
type Pair = { member: Member; grouped: Subscribed; alone: Subscribed };
type Member = typeof aMember extends fc.Arbitrary<infer M> ? M : never;

describe('closes of a group', function () {
  this.timeout(600_000);
  let pool: Pool;
  let plans: string[];
  before(async () => {
    pool = await given.aLedger();
    plans = [];
    for (const charges of PLANS) plans.push(await given.aPlan(pool, charges));
  });
  after(() => pool.end());

  async function subscribe(member: Member): Promise<Subscribed> {
    const { plan, grants, items, balance, tax_rate, before } = member;
    const customer = await given.aCustomer(pool, { tax_rate });
    const subscription_id = await given.aSubscription(pool, customer, plans[plan]!);
    for (const { amount, expires_at } of grants) await given.aGrant(pool, customer, amount, { expires_at });
    const of_customer = { customer_id: customer.id, at: JANUARY, by: 'key' };
    for (const amount of items) {
      const amounts = { quantity: '1', unit_amount: `${amount}`, amount: `${amount}.00` };
      const item = { id: newId('ii'), subscription_id, description: 'Setup', ...amounts, ...of_customer };
      await insertInvoiceItem(pool, given.LIVE, item);
    }
    const entry = {
      id: newId('bal'),
      type: 'adjustment',
      amount: balance,
      reason: 'test',
      ...of_customer,
    } as const;
    await moveBalance(pool, given.LIVE, entry);
    await given.post(pool, customer, before);
    return { customer, subscription_id };
  }

  const close = (requests: readonly CloseRequest[]) =>
    transaction(pool, (db) => closeAll(db, given.LIVE, requests, { locks: 'customer', settings: SETTINGS }));

  it('write the same rows as one by one', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(aMember, { minLength: 1, maxLength: 6 }), async (members) => {
        const pairs: Pair[] = [];
        for (const member of members)
          pairs.push({ member, grouped: await subscribe(member), alone: await subscribe(member) });
        const requestsOf = (
          of: 'grouped' | 'alone',
          request: (member: Member) => Omit<CloseRequest, 'subscription_id'>,
        ) => pairs.map((pair) => ({ subscription_id: pair[of].subscription_id, ...request(pair.member) }));
        const closeBoth = async (request: (member: Member) => Omit<CloseRequest, 'subscription_id'>) => {
          const closed = await close(requestsOf('grouped', request));
          for (const one of requestsOf('alone', request)) closed.push(...(await close([one])));
          return closed;
        };
        if (members.some(({ is_rolled_up }) => is_rolled_up)) {
          while (await rollUp(pool));
          while (await fillDimensions(pool));
        }
        await closeBoth(({ first }) => ({ period_start: JANUARY, ...FIRST[first] }));
        for (const { member, grouped, alone } of pairs)
          for (const { customer } of [grouped, alone]) await given.post(pool, customer, member.late);
        await closeBoth(() => ({
          period_start: JANUARY,
          usage_revision: 2,
          credit_revision: 2,
          issues: true,
        }));
        await closeBoth(() => ({
          period_start: FEBRUARY,
          usage_revision: 1,
          credit_revision: 1,
          issues: true,
        }));
        for (const { grouped, alone } of pairs)
          assert.deepEqual(
            await writtenFor(pool, grouped.subscription_id),
            await writtenFor(pool, alone.subscription_id),
          );
      }),
      { numRuns: 8 },
    );
    const breaches = await readOnly(pool, (db) => breachesOf(db));
    // March has ended too, and nobody asks to bill it.
    assert.deepEqual(
      breaches.filter(({ invariant }) => invariant !== 'I12'),
      [],
    );
  });

  it('send a fixed number of statements, and at most two more for each charge that must read events', async () => {
    const member: Member = {
      ...{ plan: 1, is_rolled_up: false, balance: '500', tax_rate: '19', first: 'counts' },
      ...{ grants: [{ amount: 5, expires_at: '2026-01-15T00:00:00.000Z' }], items: [7] },
      before: given
        .january(3, { region: 'a', n: 1 })
        .map((event) => ({ event_name: 'api_call', ...event })) as Member['before'],
      late: [],
    };
    const sent = async (members: number, revision: number, period_start: string, issues: boolean) => {
      const statements: string[] = [];
      const requests = of_size.get(members)!.map(({ subscription_id }) => ({
        ...{ subscription_id, period_start, usage_revision: revision, credit_revision: revision, issues },
      }));
      await transaction(pool, (db) => {
        const query = db.query.bind(db) as (...args: unknown[]) => Promise<unknown>;
        const counting = (...args: unknown[]) => {
          statements.push(args[0] as string);
          return query(...args);
        };
        return closeAll({ query: counting as typeof db.query }, given.LIVE, requests, {
          locks: 'customer',
          settings: SETTINGS,
        });
      });
      return statements.length;
    };
    const of_size = new Map<number, Subscribed[]>();
    for (const size of [1, 50]) {
      const members = [];
      for (let at = 0; at < size; at++) members.push(await subscribe(member));
      of_size.set(size, members);
    }
    const steps: [revision: number, period_start: string, issues: boolean][] = [
      [1, JANUARY, false],
      [2, JANUARY, true],
      [1, FEBRUARY, true],
    ];
    for (const step of steps) {
      const [one, fifty] = [await sent(1, ...step), await sent(50, ...step)];
      assert.equal(fifty, one, `${step.join(' ')}`);
      assert.ok(one <= 30 + 2 * PLANS[1]!.length, `${step.join(' ')}: ${one}`);
    }
  });
});
