import assert from 'node:assert/strict';
import { noteNotices } from '../../../src/db/subscriptions/notices.ts';
import { transaction } from '../../../src/db/connection/pool.ts';
import { send, type Json } from '../../support/servers/api.ts';
import { changesAfter } from '../../support/ledger/feed.ts';
import { eventually } from '../../support/servers/eventually.ts';
import { useStack } from '../../support/servers/stack.ts';
import { at, FLAT, later, PER_UNIT, times } from '../../support/ledger/test-customer.ts';
import { requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const NONE = { renewal: null, trial_end: null, credit_expiry: null };

describe('notices', function () {
  const stack = useStack();
  const { advance, customer, done, get, grant, plan, read, subscribe, use } = testCustomersOn(
    requestsTo(stack),
  );

  const set = async (notice_days: object) =>
    assert.equal((await get('/v1/account', { method: 'PATCH', body: { notice_days } })).status, 200);
  beforeEach(() => set(NONE));
  const sweep = () => noteNotices(stack().pool, { customer_id: null, limit: 500 });

  /** The changes of a customer so far, in order; the feed has them once it has one that is made now. */
  async function changesOf(customer_id: string): Promise<Json[]> {
    const marker = await customer({}, null);
    const changes = await eventually(
      () => changesAfter(read, 0),
      (all) => all.some((change) => change['customer_id'] === marker),
    );
    return changes.filter((change) => change['customer_id'] === customer_id);
  }

  const NOTICES = ['subscription.renewal_coming', 'subscription.trial_ending', 'credit_grant.expiring'];
  const typesOf = async (customer_id: string, types: readonly string[] = NOTICES) =>
    (await changesOf(customer_id)).flatMap(({ type }) => (types.includes(type) ? type.split('.')[1] : []));

  it('are made each on its day, once, and all of several days by one advance, in order', async () => {
    await set({ renewal: 7, trial_end: 3, credit_expiry: 10 });
    const [on_each, at_once] = [await customer(), await customer()];
    const plan_id = await plan([FLAT]);
    for (const customer_id of [on_each, at_once]) {
      await subscribe(customer_id, plan_id, { trial_end_date: at('01-11') });
      await grant(customer_id, 5, { expires_in_days: 30, rollover: true });
    }
    const days: [to: string, told: string[]][] = [
      [later(at('01-08'), -1), []],
      [at('01-08'), ['trial_ending']],
      [later(at('01-21'), -1), ['trial_ending']],
      [at('01-21'), ['trial_ending', 'expiring']],
      [later(at('02-04'), -1), ['trial_ending', 'expiring']],
      [at('02-04'), ['trial_ending', 'expiring', 'renewal_coming']],
      [at('02-11'), ['trial_ending', 'expiring', 'renewal_coming']],
      [at('03-04'), ['trial_ending', 'expiring', 'renewal_coming', 'renewal_coming']],
    ];
    for (const [to, told] of days) {
      await advance(on_each, to);
      assert.deepEqual(await typesOf(on_each), told, to);
    }
    await advance(at_once, at('03-04'));
    await sweep();
    const ORDER = ['subscription.trial_ended', 'subscription.renewed', ...NOTICES];
    assert.deepEqual(await typesOf(at_once, ORDER), [
      ...['trial_ending', 'trial_ended', 'expiring', 'renewal_coming', 'renewed', 'renewal_coming'],
    ]);
    const changes = await changesOf(at_once);
    assert.ok(changes.every(({ type, actor }) => !NOTICES.includes(type) || actor === null));
  });

  it('have the object as it is, and nobody as the actor', async () => {
    await set({ renewal: 7 });
    const customer_id = await customer();
    const { id } = await subscribe(customer_id, await plan([FLAT]));
    await advance(customer_id, at('01-25'));
    const [told] = (await changesOf(customer_id)).filter(({ type }) => NOTICES.includes(type));
    assert.deepEqual(
      [told!['object_id'], told!['actor'], told!['data'].current_period_end],
      [id, null, at('02-01')],
    );
  });

  it('are made with 0 days at the date itself, before anything is billed there', async () => {
    await set({ renewal: 0, trial_end: 0, credit_expiry: 0 });
    const customer_id = await customer();
    await subscribe(customer_id, await plan([FLAT]), { trial_end_date: at('01-11') });
    await grant(customer_id, 5, { expires_in_days: 20, rollover: true });
    await advance(customer_id, later(at('01-11'), -1));
    assert.deepEqual(await typesOf(customer_id), []);
    await advance(customer_id, at('02-11'));
    assert.deepEqual(await typesOf(customer_id, ['subscription.trial_ended', 'invoice.issued', ...NOTICES]), [
      ...['trial_ending', 'trial_ended', 'expiring', 'renewal_coming', 'issued'],
    ]);
  });

  it('are made at the start of a period that is shorter than the days before its end', async () => {
    await set({ renewal: 60 });
    const customer_id = await customer();
    const daily = await plan([FLAT], { interval: 'day' });
    await subscribe(customer_id, daily, { start_date: at('01-02') });
    await advance(customer_id, later(at('01-02'), -1));
    assert.deepEqual(await typesOf(customer_id), []);
    await advance(customer_id, at('01-02'));
    assert.deepEqual(await typesOf(customer_id), ['renewal_coming']);
    await advance(customer_id, at('01-05'));
    assert.deepEqual(await typesOf(customer_id, ['subscription.renewed', ...NOTICES]), [
      ...['renewal_coming', 'renewed', 'renewal_coming', 'renewed', 'renewal_coming', 'renewed'],
      'renewal_coming',
    ]);
  });

  it('of renewals are not made where the subscription ends by then, and are once the end is taken back', async () => {
    await set({ renewal: 7, trial_end: 7 });
    const customer_id = await customer();
    const { id } = await subscribe(customer_id, await plan([FLAT]));
    await done(`/v1/subscriptions/${id}/cancel`, { at: 'period_end' });
    await advance(customer_id, at('01-26'));
    assert.deepEqual(await typesOf(customer_id), []);
    await get(`/v1/subscriptions/${id}/cancel`, { method: 'DELETE' });
    await sweep();
    assert.deepEqual(await typesOf(customer_id), ['renewal_coming']);
    // An end after the renewal leaves it, and an end that comes and goes moves nothing.
    await done(`/v1/subscriptions/${id}/cancel`, { at: 'period_end' });
    await get(`/v1/subscriptions/${id}/cancel`, { method: 'DELETE' });
    await done(`/v1/subscriptions/${id}/cancel`, { at: at('02-10') });
    await advance(customer_id, at('02-08'));
    assert.deepEqual(await typesOf(customer_id), ['renewal_coming']);
    await advance(customer_id, at('04-01'));
    assert.deepEqual(await typesOf(customer_id), ['renewal_coming']);
  });

  it('of a trial are made again where its end moves, and not where the subscription ends with it', async () => {
    await set({ renewal: 2, trial_end: 3 });
    const [extended, ended] = [await customer(), await customer()];
    const plan_id = await plan([FLAT]);
    const trial = { trial_end_date: at('01-11') };
    const { id } = await subscribe(extended, plan_id, trial);
    const { id: ended_id } = await subscribe(ended, plan_id, trial);
    await done(`/v1/subscriptions/${ended_id}/cancel`, { at: at('01-11') });
    for (const customer_id of [extended, ended]) await advance(customer_id, at('01-09'));
    assert.deepEqual(await typesOf(ended), []);
    await done(`/v1/subscriptions/${id}/trial`, { ends_at: at('01-21') });
    assert.deepEqual(await typesOf(extended), ['trial_ending']);
    await advance(extended, at('01-18'));
    assert.deepEqual(await typesOf(extended), ['trial_ending', 'trial_ending']);
    // The trial ends now: the first billing period ends on the day on which the trial would have.
    await done(`/v1/subscriptions/${id}/trial`, { ends_at: 'now' });
    await advance(extended, at('02-16'));
    assert.deepEqual(await typesOf(extended), ['trial_ending', 'trial_ending', 'renewal_coming']);
  });

  it('of a renewal are made once where the period is cut, and again where a plan that comes moves its end', async () => {
    await set({ renewal: 10 });
    const customer_id = await customer();
    const { id } = await subscribe(customer_id, await plan([FLAT]));
    await advance(customer_id, at('01-23'));
    await done('/v1/invoices/generate', { subscription_id: id, close_now: true });
    await done(`/v1/subscriptions/${id}/change`, { plan_id: await plan([PER_UNIT]), at: 'now' });
    await advance(customer_id, at('01-24'));
    assert.deepEqual(await typesOf(customer_id), ['renewal_coming']);
    const other = await plan([FLAT]);
    await done(`/v1/subscriptions/${id}/change`, { plan_id: other, at: at('01-28') });
    await advance(customer_id, at('01-25'));
    assert.deepEqual(await typesOf(customer_id), ['renewal_coming', 'renewal_coming']);
    // A change at the boundary leaves the date as it is.
    await get(`/v1/subscriptions/${id}/change`, { method: 'DELETE' });
    await advance(customer_id, at('01-26'));
    await done(`/v1/subscriptions/${id}/change`, { plan_id: other, at: 'period_end' });
    await advance(customer_id, at('01-31'));
    assert.deepEqual(await typesOf(customer_id), ['renewal_coming', 'renewal_coming', 'renewal_coming']);
  });

  it('follow other days at once: more days make what is due, fewer make nothing twice', async () => {
    const customer_id = await customer();
    await subscribe(customer_id, await plan([FLAT]));
    await advance(customer_id, at('01-20'));
    await sweep();
    assert.deepEqual(await typesOf(customer_id), []);
    await set({ renewal: 5 });
    await sweep();
    assert.deepEqual(await typesOf(customer_id), []);
    await set({ renewal: 12 });
    await sweep();
    await set({ renewal: 1 });
    await advance(customer_id, at('01-31T12:00'));
    await set({ renewal: 60 });
    await sweep();
    assert.deepEqual(await typesOf(customer_id), ['renewal_coming']);
  });

  it('are not made of dates that are past when a subscription begins', async () => {
    await set({ renewal: 7, trial_end: 7 });
    const customer_id = await customer();
    await advance(customer_id, at('06-26'));
    await subscribe(customer_id, await plan([FLAT]), {
      ...{ start_date: at('01-01'), trial_end_date: at('02-01') },
    });
    await advance(customer_id, at('06-27'));
    await sweep();
    assert.deepEqual(await typesOf(customer_id), ['renewal_coming']);
  });

  it('of credit are made where some is left, and again once carry-over moves the expiry', async () => {
    await set({ credit_expiry: 5 });
    const customer_id = await customer();
    const own = await grant(customer_id, 3, { expires_in_days: 20, rollover: true });
    const void_one = await grant(customer_id, 3, { expires_in_days: 20, rollover: true });
    await done(`/v1/credit-grants/${void_one['id']}/void`);
    const credit = { amount: 10, expires: 'period_end' };
    const plan_id = await plan([PER_UNIT], { grants: [{ ...credit, carry_over_max: 4 }] });
    await subscribe(customer_id, plan_id);
    await advance(customer_id, at('01-16'));
    const told = async () =>
      (await changesOf(customer_id)).flatMap(({ type, object_id, data }) =>
        type === 'credit_grant.expiring' ? [[object_id, data.remaining]] : [],
      );
    assert.deepEqual(await told(), [[own['id'], 3]]);
    await advance(customer_id, at('02-01'));
    // January's grant covers February too, as far as it carries over: its credit expires on 1 March.
    assert.equal((await told()).length, 1);
    await advance(customer_id, at('02-24'));
    const { data: grants } = await read(`/v1/credit-grants?customer_id=${customer_id}`);
    const january = grants.find(({ carry_over_until }: Json) => carry_over_until === at('03-01'));
    assert.deepEqual(await told(), [
      [own['id'], 3],
      [january.id, 10],
    ]);
  });

  it('of credit are not made where nothing is left, and are where a void returns some', async () => {
    await set({ credit_expiry: 60 });
    const customer_id = await customer();
    await subscribe(customer_id, await plan([PER_UNIT]));
    await use(customer_id, times(2, {}));
    const { id } = await grant(customer_id, 2, { expires_in_days: 95, rollover: true });
    const [invoice] = await advance(customer_id, at('02-01'));
    await advance(customer_id, at('02-10'));
    await sweep();
    assert.equal((await read(`/v1/credit-grants/${id}`)).remaining, 0);
    assert.deepEqual(await typesOf(customer_id), []);
    await done(`/v1/invoices/${invoice!['id']}/void`, { reason: 'Wrong' });
    await sweep();
    assert.deepEqual(await typesOf(customer_id), ['expiring']);
  });

  it('are made once by several sweeps at a time, which wait for nothing that somebody has locked', async () => {
    const ids: string[] = [];
    const plan_id = await plan([FLAT]);
    for (let made = 0; made < 2; made++) {
      const customer_id = await customer();
      await subscribe(customer_id, plan_id);
      await grant(customer_id, 1, { expires_in_days: 20, rollover: true });
      await advance(customer_id, at('01-20'));
      ids.push(customer_id);
    }
    await set({ renewal: 20, credit_expiry: 20 });
    await transaction(stack().pool, async (db) => {
      await db.query(
        `select from subscriptions s join customers c on c.id = s.customer_id
         where c.external_id = any($1) for update of s`,
        [ids],
      );
      await db.query(
        `select from credit_grants g join customers c on c.id = g.customer_id
         where c.external_id = any($1) for update of g`,
        [ids],
      );
      await sweep();
      for (const customer_id of ids) assert.deepEqual(await typesOf(customer_id), []);
    });
    await Promise.all([sweep(), sweep(), sweep()]);
    await sweep();
    for (const customer_id of ids)
      assert.deepEqual((await typesOf(customer_id)).sort(), ['expiring', 'renewal_coming']);
  });

  it('are made by real time too, by the worker', async () => {
    await set({ trial_end: 1 });
    const customer_id = await customer({}, null);
    const trial_end_date = later(new Date().toISOString(), DAY_MS + 5000);
    await subscribe(customer_id, await plan([FLAT]), { trial_end_date });
    const told = await eventually(
      () => changesOf(customer_id),
      (changes) => changes.some(({ type }) => type === 'subscription.trial_ending'),
    );
    assert.ok(told.length > 0);
  });

  it('are settings of the test and of the live environment, each for itself', async () => {
    await set({ renewal: 7 });
    const live = await send(`${stack().api_url}/v1/account`, { key: stack().live_key });
    assert.deepEqual(live.body.notice_days, NONE);
    await set({ trial_end: 3 });
    assert.deepEqual((await read('/v1/account')).notice_days, { ...NONE, renewal: 7, trial_end: 3 });
    const { body } = await get('/v1/account', { method: 'PATCH', body: { notice_days: null } });
    assert.deepEqual(body.notice_days, NONE);
    const { data } = await read('/v1/audit-log?action=account.updated&limit=1');
    assert.deepEqual(data[0].after, { notice_days: NONE });
  });
});
