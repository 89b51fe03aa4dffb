import assert from 'node:assert/strict';
import type { Json } from '../../support/servers/api.ts';
import { eventually } from '../../support/servers/eventually.ts';
import { changesAfter } from '../../support/ledger/feed.ts';
import { planMigrationsOn } from '../../support/ledger/plan-migrations.ts';
import { assertRefused } from '../../support/ledger/refused.ts';
import { useStack } from '../../support/servers/stack.ts';
import { at, FLAT, PER_UNIT, requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';

const PATH = '/v1/plan-migrations';
const CHEAP = { ...FLAT, flat_amount: '49.00' };
const DEAR = { ...FLAT, flat_amount: '199.00' };

describe('plan migrations', function () {
  const stack = useStack();
  const request = requestsTo(stack);
  const lives = testCustomersOn(request);
  const { customer, plan, subscribe, get, post, read, done, advance } = lives;
  const { path, finished, migrated, outcomesOf, countsOf } = planMigrationsOn(lives);

  /** A subscription of a new customer whose time is the first of April. */
  async function subscription(plan_id: string, dates: object = {}): Promise<Json> {
    return subscribe(await customer({}, at('04-01')), plan_id, dates);
  }
  const planOf = async (id: string): Promise<Json> => {
    const { plan_id, pending_change } = await read(`/v1/subscriptions/${id}`);
    return [plan_id, pending_change];
  };

  it('move every subscriber of a plan that has not ended, and no other', async () => {
    const [from, to, other] = [await plan([CHEAP]), await plan([DEAR]), await plan([FLAT])];
    const [a, b, c] = [await subscription(from), await subscription(from), await subscription(other)];
    const ended = await subscription(from);
    await done(`/v1/subscriptions/${ended.id}/cancel`, { at: 'now' });
    const created = await done(PATH, { from_plan_id: from, to_plan_id: to, at: 'period_end' });
    assert.deepEqual(Object.keys(created), [
      ...['id', 'object', 'livemode', 'created_at', 'status', 'from_plan_id', 'to_plan_id', 'at'],
      ...['custom', 'total'],
      ...['changed', 'skipped', 'failed', 'taken_back', 'finished_at'],
    ]);
    assert.match(created.id, /^mig_[0-9a-z]{26}$/);
    assert.deepEqual([created.object, created.livemode, created.at], ['plan_migration', false, 'period_end']);
    assert.deepEqual([created.from_plan_id, created.to_plan_id, created.total], [from, to, 2]);
    const migration = await finished(created.id);
    assert.deepEqual([migration.status, ...countsOf(migration)], ['done', 2, 2, 0, 0, 0]);
    const pending = { plan_id: to, at: at('05-01') };
    assert.deepEqual(await planOf(a.id), [from, pending]);
    assert.deepEqual(await planOf(b.id), [from, pending]);
    assert.deepEqual(await planOf(c.id), [other, null]);
    const { data, has_more } = await read(`${path(created.id)}/outcomes`);
    assert.deepEqual(data, [
      { subscription_id: b.id, customer_id: b.customer_id, status: 'changed', reason: null, details: null },
      { subscription_id: a.id, customer_id: a.customer_id, status: 'changed', reason: null, details: null },
    ]);
    assert.equal(has_more, false);
    await advance(a.customer_id, at('05-01'));
    assert.deepEqual(await planOf(a.id), [to, null]);
  });

  it('a key names all versions before the newest, which is the target', async () => {
    const versions = [];
    for (const charge of [CHEAP, FLAT, DEAR]) versions.push(await plan([charge], { key: 'rise' }));
    const [first, second, newest] = versions as [string, string, string];
    const [a, b, c] = [
      await subscription(first),
      await subscription(second),
      await subscription(newest),
    ] as const;
    const migration = await migrated({ from_plan_id: 'rise', to_plan_id: 'rise', at: 'now' });
    assert.deepEqual([migration.from_plan_id, migration.to_plan_id], ['rise', newest]);
    assert.deepEqual(countsOf(migration), [2, 2, 0, 0, 0]);
    for (const { id } of [a, b, c]) assert.deepEqual(await planOf(id), [newest, null]);
    assert.deepEqual([...(await outcomesOf(migration.id)).keys()], [b.id, a.id]);
  });

  it('settle unused time of fees in advance as asked', async () => {
    const from = await plan([{ ...CHEAP, billed: 'in_advance' }]);
    const to = await plan([DEAR]);
    const { id } = await subscription(from);
    await migrated({ from_plan_id: from, to_plan_id: to, at: at('04-16'), settle: 'none' });
    const { rows } = await stack().pool.query<{ settle: string }>(
      'select settle from plan_changes where subscription_id = $1',
      [id],
    );
    assert.deepEqual(rows, [{ settle: 'none' }]);
  });

  it('move the subscriptions of some customers, by either id', async () => {
    const [from, to] = [await plan([CHEAP]), await plan([DEAR])];
    const [a, b, c] = [await subscription(from), await subscription(from), await subscription(from)];
    const { id: cus } = await read(`/v1/customers/${b.customer_id}`);
    const migration = await migrated({
      ...{ from_plan_id: from, to_plan_id: to, at: 'period_end' },
      customer_ids: [a.customer_id, cus, a.customer_id],
    });
    assert.deepEqual(countsOf(migration), [2, 2, 0, 0, 0]);
    assert.deepEqual((await planOf(c.id))[1], null);
  });

  it('skip a scheduled change and an end at the change or before it, and name what fails', async () => {
    const [from, to, other] = [await plan([CHEAP]), await plan([PER_UNIT]), await plan([DEAR])];
    const scheduled = await subscription(from);
    await done(`/v1/subscriptions/${scheduled.id}/change`, { plan_id: other, at: 'period_end' });
    const ends = await subscription(from);
    await done(`/v1/subscriptions/${ends.id}/cancel`, { at: at('05-01') });
    const ends_later = await subscription(from);
    await done(`/v1/subscriptions/${ends_later.id}/cancel`, { at: at('05-02') });
    const overlaps = await subscription(from);
    const { id: sibling } = await subscribe(overlaps.customer_id, await plan([PER_UNIT]));
    const migration = await migrated({ from_plan_id: from, to_plan_id: to, at: at('05-01') });
    assert.deepEqual([migration.status, ...countsOf(migration)], ['done', 4, 1, 2, 1, 0]);
    assert.deepEqual(
      await outcomesOf(migration.id),
      new Map([
        [overlaps.id, ['failed', `subscription ${sibling} already bills api_call events of this customer`]],
        [ends_later.id, ['changed', null]],
        [ends.id, ['skipped', `the subscription ends at ${at('05-01')}`]],
        [scheduled.id, ['skipped', `a change to ${other} is scheduled at ${at('05-01')} already`]],
      ]),
    );
    assert.deepEqual([...(await outcomesOf(migration.id, '&status=failed')).keys()], [overlaps.id]);
    assert.deepEqual([...(await outcomesOf(migration.id, '&status=taken_back')).keys()], []);
    const { data } = await read(`${path(migration.id)}/outcomes`);
    assert.deepEqual(
      data.map(({ details }: Json) => details?.map(({ param, reason }: Json) => [param, reason]) ?? null),
      [[['plan_id', 'overlapping_subscription']], null, null, null],
    );
  });

  it('fail for an instant that is too far, of each customer by its own time', async () => {
    const [from, to] = [await plan([CHEAP]), await plan([DEAR])];
    const { id } = await subscription(from);
    const migration = await migrated({ from_plan_id: from, to_plan_id: to, at: at('04-02', 1) });
    const [status, reason] = (await outcomesOf(migration.id)).get(id)!;
    assert.equal(status, 'failed');
    assert.match(reason!, /^at must be between /);
  });

  it('page their outcomes', async () => {
    const [from, to] = [await plan([CHEAP]), await plan([DEAR])];
    const ids = [];
    for (let made = 0; made < 3; made++) ids.push((await subscription(from)).id);
    const { id } = await migrated({ from_plan_id: from, to_plan_id: to, at: 'period_end' });
    const first = await read(`${path(id)}/outcomes?limit=2`);
    assert.deepEqual([first.data.length, first.has_more], [2, true]);
    const rest = await read(`${path(id)}/outcomes?limit=2&cursor=${first.next_cursor}`);
    assert.deepEqual(
      [...first.data, ...rest.data].map((one: Json) => one.subscription_id),
      ids.toReversed(),
    );
    const { id: second } = await migrated({ from_plan_id: to, to_plan_id: from, at: 'period_end' });
    assertRefused(await get(`${path(second)}/outcomes?cursor=${first.next_cursor}`), {
      code: 'invalid_request',
      reason: 'bad_cursor',
    });
    const newest = await read(`${PATH}?limit=1`);
    assert.deepEqual([newest.data[0].id, newest.has_more], [second, true]);
    const before = await read(`${PATH}?limit=1&cursor=${newest.next_cursor}`);
    assert.equal(before.data[0].id, id);
  });

  it('stop: after the response nothing changes', async () => {
    const [from, to] = [await plan([CHEAP]), await plan([DEAR])];
    const { id: subscription_id } = await subscription(from);
    const id = await stack().whileAway(async () => {
      const created = await done(PATH, { from_plan_id: from, to_plan_id: to, at: 'now' });
      const stopped = await done(`${path(created.id)}/stop`);
      assert.deepEqual([stopped.status, ...countsOf(stopped)], ['stopped', 1, 0, 0, 0, 0]);
      assert.match(stopped.finished_at, /Z$/);
      return created.id;
    });
    assertRefused(await post(`${path(id)}/stop`), {
      code: 'conflict',
      param: null,
      reason: 'invalid_state',
    });
    // A migration after it is done: the worker has had both.
    await migrated({ from_plan_id: to, to_plan_id: from, at: 'now' });
    assert.deepEqual(await planOf(subscription_id), [from, null]);
    assert.deepEqual((await outcomesOf(id)).size, 0);
    const again = await migrated({ from_plan_id: from, to_plan_id: to, at: 'now' });
    assert.deepEqual(countsOf(again), [1, 1, 0, 0, 0]);
  });

  it('take back what is still scheduled of their own changes, at any time', async () => {
    const [from, to, other] = [await plan([CHEAP]), await plan([DEAR]), await plan([FLAT])];
    const [ours, replaced, came, taken] = [
      await subscription(from),
      await subscription(from),
      await subscription(from),
      await subscription(from),
    ];
    const { id } = await migrated({ from_plan_id: from, to_plan_id: to, at: 'period_end' });
    await done(`/v1/subscriptions/${replaced.id}/change`, { plan_id: other, at: at('05-01') });
    await advance(came.customer_id, at('05-01'));
    await get(`/v1/subscriptions/${taken.id}/change`, { method: 'DELETE' });
    const asked = await done(`${path(id)}/take-back`);
    assert.equal(asked.status, 'taken_back');
    const migration = await finished(id);
    assert.deepEqual([migration.status, ...countsOf(migration)], ['taken_back', 4, 3, 0, 0, 1]);
    assert.deepEqual([...(await outcomesOf(id, '&status=taken_back')).keys()], [ours.id]);
    assert.deepEqual(await planOf(ours.id), [from, null]);
    assert.deepEqual(await planOf(replaced.id), [from, { plan_id: other, at: at('05-01') }]);
    assert.deepEqual(await planOf(came.id), [to, null]);
    const { current_period_end } = await read(`/v1/subscriptions/${ours.id}`);
    assert.equal(current_period_end, at('05-01'));
    for (const action of ['take-back', 'stop'])
      assertRefused(await post(`${path(id)}/${action}`), { code: 'conflict', reason: 'invalid_state' });
  });

  it('say why a change is not taken back, where another subscription bills the events since', async () => {
    const [from, to] = [await plan([PER_UNIT]), await plan([DEAR])];
    const { id: subscription_id, customer_id } = await subscription(from);
    const { id } = await migrated({ from_plan_id: from, to_plan_id: to, at: 'period_end' });
    const { id: sibling } = await subscribe(customer_id, from, { start_date: at('05-01') });
    await done(`${path(id)}/take-back`);
    const migration = await finished(id);
    assert.deepEqual(countsOf(migration), [1, 1, 0, 0, 0]);
    assert.deepEqual((await outcomesOf(id)).get(subscription_id), [
      'changed',
      `subscription ${sibling} already bills api_call events of this customer`,
    ]);
  });

  it('ten equal requests with one Idempotency-Key have one effect', async () => {
    const [from, to] = [await plan([CHEAP]), await plan([DEAR])];
    await subscription(from);
    const body = { from_plan_id: from, to_plan_id: to, at: 'period_end' };
    const sent = { headers: { 'Idempotency-Key': 'one-migration' } };
    const answers = await Promise.all(Array.from({ length: 10 }, () => post(PATH, body, sent)));
    const created = answers.filter(({ status }) => status === 201);
    assert.ok(created.length > 0);
    for (const { status, body: answer } of answers)
      if (status !== 201) assert.equal(answer.error.details[0].reason, 'request_in_progress');
    assert.equal(new Set(created.map(({ body: answer }) => answer.id)).size, 1);
    const { rows } = await stack().pool.query('select from plan_migrations where from_plan_id = $1', [from]);
    assert.equal(rows.length, 1);
    await finished(created[0]!.body.id);
  });

  it('are in the feed as they are created, and each time that nothing is left to do', async () => {
    const [from, to] = [await plan([CHEAP]), await plan([DEAR])];
    const { id: subscription_id } = await subscription(from);
    const { newest_sequence } = await read('/v1/changes?limit=1');
    const changesOf = async (object_id: string): Promise<Json[]> =>
      (await changesAfter(read, newest_sequence)).filter((change) => change['object_id'] === object_id);
    const { id } = await migrated({ from_plan_id: from, to_plan_id: to, at: 'period_end' });
    await done(`${path(id)}/take-back`);
    const migration = await finished(id);
    const changes = await eventually(
      () => changesOf(id),
      ({ length }) => length === 3,
    );
    assert.deepEqual(
      changes.map(({ type }) => type),
      ['plan_migration.created', 'plan_migration.finished', 'plan_migration.finished'],
    );
    assert.match(changes[0]!['actor'], /^key_/);
    assert.deepEqual(changes.at(-1)!['data'], migration);
    const moves = (await changesOf(subscription_id)).filter(({ type }) => type === 'subscription.updated');
    assert.equal(moves.length, 2);
  });
});
