import assert from 'node:assert/strict';
import type { Json } from '../../support/servers/api.ts';
import { eventually } from '../../support/servers/eventually.ts';
import { assertRefused } from '../../support/ledger/refused.ts';
import { useStack } from '../../support/servers/stack.ts';
import { at, requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';

const CALLS = {
  ...{ event_name: 'call', pricing_model: 'per_unit', unit_amount: '0.01' },
  aggregation: { type: 'sum', property: 'n' },
};
const MONTHLY = { amount: 1000, expires: 'period_end' };
const CARRIED = { ...MONTHLY, carry_over_max: 500 };
const BY_DAYS = { amount: 200, expires: { days: 45 } };
const TAKEN_BACK = { take_back_grants: true };

/** billing.md 4, "Share of a short period" and `Taken back at a change`. */
describe('grants of plans at a change', () => {
  const stack = useStack();
  const request = requestsTo(stack);
  const { advance, customer, done, plan, post, read, subscribe, use } = testCustomersOn(request);

  const planWith = (...grants: object[]): Promise<string> => plan([CALLS], { grants });
  /** Grants of a customer, oldest first. */
  const grantsOf = async (id: string): Promise<Json[]> =>
    (await read(`/v1/credit-grants?customer_id=${id}`)).data.toReversed();
  const untilGranted = (id: string, count: number): Promise<Json[]> =>
    eventually(
      () => grantsOf(id),
      (all) => all.length === count,
    );
  const useUnits = (id: string, n: number, date: string) =>
    use(id, [{ event_name: 'call', properties: { n }, timestamp: at(date) }]);
  /** A customer on a plan with these grants from 1 April on, at 10 April. */
  const inApril = async (...grants: object[]) => {
    const id = await customer({}, at('04-01'));
    const { id: subscription_id } = await subscribe(id, await planWith(...grants));
    await untilGranted(id, grants.length);
    await advance(id, at('04-10'));
    return { id, path: `/v1/subscriptions/${subscription_id}` };
  };
  const change = (path: string, plan_id: string, when: string, more: object = {}): Promise<Json> =>
    done(`${path}/change`, { plan_id, at: when, ...more });
  const day = (instant: string | null): string | null => instant && instant.slice(5, 10);
  /** The expiry of each grant, and until when it carries over. */
  const endsOf = async (id: string) =>
    (await grantsOf(id)).map((one) => [day(one['expires_at']), day(one['carry_over_until'])]);
  const creditOf = (invoice: Json) =>
    invoice['line_items'].map((line: Json) =>
      [line['type'], line['quantity'], line['credits_applied'], line['amount']].join(' '),
    );
  /** The lines of all invoices of a subscription, oldest first. */
  const billedOf = async (path: string) =>
    (await read(`/v1/invoices?subscription_id=${path.split('/').at(-1)}`)).data.toReversed().map(creditOf);

  describe('a share of a short period', () => {
    const SHARED = { ...CARRIED, prorate: true };

    it('is 500 of 1,000 for the last 15 of 30 days, after a change of plan and by an anchor', async () => {
      const { id, path } = await inApril();
      await advance(id, at('04-16'));
      const shared = await planWith(SHARED, MONTHLY, { ...BY_DAYS, amount: 1, prorate: true });
      await change(path, shared, 'now');
      const made = await untilGranted(id, 2);
      assert.deepEqual(
        made.map(({ amount, carry_over_max, expires_at }) => [amount, carry_over_max, day(expires_at)]),
        [
          [500, 500, '05-01'],
          [1000, null, '05-01'],
        ],
      );
      await advance(id, at('05-02'));
      assert.deepEqual(
        (await untilGranted(id, 5)).slice(2).map(({ amount }) => amount),
        [1000, 1000, 1],
      );
      const anchored = await customer({}, at('04-16'));
      await subscribe(anchored, await planWith(SHARED), { billing_anchor: at('05-01') });
      assert.equal((await untilGranted(anchored, 1))[0]!['amount'], 500);
    });

    it('is the whole where an end or a change is to come inside', async () => {
      const id = await customer({}, at('03-01'));
      const { id: subscription_id } = await subscribe(id, await planWith(SHARED), {
        start_date: at('04-01'),
      });
      await done(`/v1/subscriptions/${subscription_id}/cancel`, { at: at('04-11') });
      await advance(id, at('04-02'));
      const [april] = await untilGranted(id, 1);
      assert.deepEqual([april!['amount'], april!['expires_at']], [1000, at('04-11')]);
    });

    it('is shown by its plan, and is a difference of versions', async () => {
      const body = { key: 'sharing', name: 'Sharing', charges: [CALLS], grants: [SHARED, MONTHLY] };
      const made = await done('/v1/pricing-plans', body);
      assert.deepEqual(
        made['grants'].map(({ prorate }: Json) => prorate),
        [true, false],
      );
      const { changes } = await done('/v1/pricing-plans/preview', { ...body, grants: [CARRIED, MONTHLY] });
      assert.deepEqual(changes, [{ field: 'grants[0].prorate', current: 'true', proposed: 'false' }]);
      const refused = { ...body, grants: [{ ...MONTHLY, prorate: 'yes' }] };
      assertRefused(await post('/v1/pricing-plans', refused), {
        ...{ code: 'invalid_request', param: 'grants[0].prorate', reason: 'wrong_type' },
      });
    });
  });

  describe('taken back', () => {
    it('cover usage until the change, late too, and none after it', async () => {
      const { id, path } = await inApril(CARRIED, BY_DAYS);
      await useUnits(id, 300, '04-05');
      await advance(id, at('04-16'));
      await change(path, await planWith(), 'now', TAKEN_BACK);
      assert.deepEqual(await endsOf(id), [
        ['04-16', '04-16'],
        ['04-16', null],
      ]);
      assert.equal((await read(`/v1/customers/${id}`))['credit_remaining'], 0);
      await useUnits(id, 700, '04-16');
      await advance(id, at('04-20'));
      await useUnits(id, 950, '04-15');
      await advance(id, at('05-01'));
      assert.deepEqual(await billedOf(path), [
        ['usage 300 300 0.00'],
        ['usage 700 0 7.00', 'late_usage 950 900 0.50'],
      ]);
      assert.deepEqual(
        (await grantsOf(id)).map(({ status, remaining }) => [status, remaining]),
        [
          ['depleted', 0],
          ['depleted', 0],
        ],
      );
    });

    it('give what late usage of their time returns to nobody after the change', async () => {
      const { id, path } = await inApril(CARRIED);
      await useUnits(id, 300, '04-05');
      await advance(id, at('04-16'));
      await change(path, await planWith(), 'now', TAKEN_BACK);
      await advance(id, at('04-20'));
      await useUnits(id, -100, '04-06');
      await useUnits(id, 50, '04-17');
      await advance(id, at('05-01'));
      assert.deepEqual(await billedOf(path), [
        ['usage 300 300 0.00'],
        ['usage 50 0 0.50', 'late_usage -100 -100 0.00'],
      ]);
      const [april] = await grantsOf(id);
      assert.deepEqual([april!['status'], april!['remaining']], ['expired', 0]);
      const lost = april!['ledger'].filter(({ type }: Json) => type === 'expired');
      assert.equal(
        lost.reduce((sum: number, { amount }: Json) => sum + amount, 0),
        -800,
      );
    });

    it('keep what the plan gave for periods before, and what a person gave', async () => {
      const { id, path } = await inApril(BY_DAYS);
      await done('/v1/credit-grants', { customer_id: id, amount: 40, rollover: true });
      await advance(id, at('05-10'));
      await untilGranted(id, 3);
      await change(path, await planWith(), 'now', TAKEN_BACK);
      const ends = (await grantsOf(id)).map((one) => [day(one['created_at']), day(one['expires_at'])]);
      assert.deepEqual(ends, [
        ['04-01', '05-16'],
        ['04-10', null],
        ['05-01', '05-10'],
      ]);
    });

    it('at a boundary, told when the change is scheduled; a change that is moved, replaced or taken back takes it along', async () => {
      const { id, path } = await inApril(CARRIED, BY_DAYS);
      const [other, third] = [await planWith(), await planWith()];
      const steps: [step: () => Promise<unknown>, ends: (string | null)[][]][] = [
        [() => change(path, other, 'period_end', TAKEN_BACK), [['05-01', '05-01'], ['05-01', null]]],
        [() => change(path, other, at('04-20'), TAKEN_BACK), [['04-20', '04-20'], ['04-20', null]]],
        [() => change(path, third, at('04-20')), [['04-20', null], ['05-16', null]]],
        [() => change(path, third, at('04-25'), TAKEN_BACK), [['04-25', '04-25'], ['04-25', null]]],
        [() => request(`${path}/change`, { method: 'DELETE' }), [['05-01', null], ['05-16', null]]],
        [() => change(path, other, 'period_end', TAKEN_BACK), [['05-01', '05-01'], ['05-01', null]]],
      ]; // prettier-ignore
      for (const [step, ends] of steps) {
        await step();
        assert.deepEqual(await endsOf(id), ends);
      }
      await useUnits(id, 100, '04-05');
      await advance(id, at('05-10'));
      await useUnits(id, 600, '05-05');
      const [may] = await advance(id, at('06-01'));
      assert.deepEqual(creditOf(may!), ['usage 600 0 6.00']);
    });

    it('by a change that is told later, at the start of the open period; another correction does not give them again', async () => {
      const { id, path } = await inApril(CARRIED, BY_DAYS);
      await useUnits(id, 100, '04-05');
      await advance(id, at('05-10'));
      await untilGranted(id, 4);
      await useUnits(id, 600, '05-05');
      const untilMayIs = (line: string) =>
        eventually(
          async () => creditOf(await read(`${path}/upcoming-invoice`)),
          (lines) => lines.join() === line,
        );
      await untilMayIs('usage 600 600 0.00');
      const other = await planWith();
      const { upcoming } = await change(path, other, at('05-01'), { ...TAKEN_BACK, dry_run: true });
      assert.deepEqual(creditOf(upcoming), ['usage 600 0 6.00']);
      assert.deepEqual((await endsOf(id))[0], ['05-01', '06-01']);
      await change(path, other, at('05-01'), TAKEN_BACK);
      const ends = [['05-01', '05-01'], ['05-01', null]]; // prettier-ignore
      assert.deepEqual((await endsOf(id)).slice(0, 2), ends);
      await untilMayIs('usage 600 0 6.00');
      const migration = { from_plan_id: other, to_plan_id: await planWith(), at: 'now', dry_run: true };
      const { current, difference } = await done('/v1/plan-migrations', migration);
      assert.deepEqual([current, difference], ['6.00', '0.00']);
      await change(path, await planWith(), at('05-01'));
      assert.deepEqual((await endsOf(id)).slice(0, 2), ends);
      const [may] = await advance(id, at('06-01'));
      assert.deepEqual(creditOf(may!), ['usage 600 0 6.00']);
    });

    it('by a correction of a change that had not told so', async () => {
      const { id, path } = await inApril(CARRIED);
      await change(path, await planWith(), 'now');
      await advance(id, at('04-12'));
      assert.deepEqual(await endsOf(id), [['04-10', '05-01']]);
      await useUnits(id, 300, '04-11');
      await change(path, await planWith(), at('04-10'), TAKEN_BACK);
      assert.deepEqual(await endsOf(id), [['04-10', '04-10']]);
      const [april] = await advance(id, at('05-01'));
      assert.deepEqual(creditOf(april!), ['usage 300 0 3.00']);
    });

    it('are none where billing has not begun', async () => {
      const id = await customer({}, at('04-01'));
      const dates = { trial_end_date: at('04-15') };
      const { id: subscription_id } = await subscribe(id, await planWith(CARRIED), dates);
      await change(`/v1/subscriptions/${subscription_id}`, await planWith(CARRIED), at('04-15'), TAKEN_BACK);
      await advance(id, at('04-16'));
      await untilGranted(id, 1);
      assert.deepEqual(await endsOf(id), [['05-15', null]]);
    });

    it('are told by the feed, and the act says so', async () => {
      const { newest_sequence: after } = await read('/v1/changes?limit=1');
      const { id, path } = await inApril(BY_DAYS);
      await change(path, await planWith(), at('04-16'), TAKEN_BACK);
      await advance(id, at('04-17'));
      const types = async () => {
        const { data } = await read(`/v1/changes?after=${after}&types=credit_grant.*&customer_id=${id}`);
        return data.map(({ type }: Json) => type);
      };
      const all = ['credit_grant.created', 'credit_grant.updated', 'credit_grant.expired'];
      await eventually(types, (told) => all.every((type) => told.includes(type)));
      const { data } = await read(`/v1/audit-log?object_id=${path.split('/').at(-1)}`);
      const acts = data.filter((one: Json) => one['after']?.plan_id !== undefined && one['after'].at);
      assert.equal(acts[0]['after'].take_back_grants, true);
    });

    it('in the live environment too', async () => {
      const live = testCustomersOn((path, sent) => request(path, { key: stack().live_key, ...sent }));
      const id = await live.customer({}, null);
      const [first, second] = [await live.plan([CALLS], { grants: [BY_DAYS] }), await live.plan([CALLS])];
      const { id: subscription_id } = await live.subscribe(id, first);
      const grants = async (): Promise<Json[]> =>
        (await live.read(`/v1/credit-grants?customer_id=${id}`)).data;
      const [before] = await eventually(grants, (all) => all.length === 1);
      const body = { plan_id: second, at: 'now', ...TAKEN_BACK };
      const { current_period_end: end } = await live.done(
        `/v1/subscriptions/${subscription_id}/change`,
        body,
      );
      const [after] = await grants();
      assert.ok(
        after!['expires_at'] < before!['expires_at'],
        `still good until ${after!['expires_at']}, of ${end}`,
      );
    });

    it('refuses what is no boolean', async () => {
      const { path } = await inApril();
      const body = { plan_id: await planWith(), at: 'now', take_back_grants: 'yes' };
      assertRefused(await post(`${path}/change`, body), {
        ...{ code: 'invalid_request', param: 'take_back_grants', reason: 'wrong_type' },
      });
    });
  });
});
