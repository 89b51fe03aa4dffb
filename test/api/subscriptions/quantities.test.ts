import assert from 'node:assert/strict';
import { INSTANTS_MAX, INSTANTS_TO_COME_MAX } from '../../../src/billing/terms/quantities.ts';
import type { Received } from '../../support/servers/api.ts';
import { eventually } from '../../support/servers/eventually.ts';
import { changesAfter } from '../../support/ledger/feed.ts';
import { quantitiesOn, SEATS, SEATS_IN_ADVANCE } from '../../support/ledger/quantities.ts';
import { useStack } from '../../support/servers/stack.ts';
import {
  at,
  FLAT,
  later,
  PER_UNIT,
  requestsTo,
  testCustomersOn,
  times,
} from '../../support/ledger/test-customer.ts';

const DAY_MS = 86_400_000;
const MODULES = { ...SEATS, event_name: 'module', name: 'Modules', flat_amount: '20.00' };

/** contract.md 3. */
describe('quantities of a subscription', () => {
  const stack = useStack();
  const customers = testCustomersOn(requestsTo(stack));
  const { customer, done, get, plan, post, read, subscribe } = customers;
  const { aLife, asked, billsOf, go, seats, takeBack } = quantitiesOn(customers);

  const shownOf = async (id: string) => {
    const { quantities, pending_quantities } = await read(`/v1/subscriptions/${id}`);
    return { quantities, pending_quantities };
  };
  const faultOf = ({ status, body }: Received): [number, string, string] => {
    const [detail] = body.error.details;
    return [status, detail.reason, detail.param];
  };

  it('begin with what was sent, and 1 for a name that was left out', async () => {
    const id = await customer({}, at('04-01'));
    const plan_id = await plan([SEATS, MODULES, FLAT]);
    const { id: subscription_id, ...first } = await subscribe(id, plan_id, { quantities: { seat: 10 } });
    assert.deepEqual(first['quantities'], { seat: '10', module: '1' });
    assert.deepEqual(first['pending_quantities'], []);
    await go(id, '05-01');
    assert.deepEqual(await billsOf(id), ['period 80.00 (80.00) and 20.00 (20.00) and 49.00']);
    assert.deepEqual((await shownOf(subscription_id)).quantities, { seat: '10', module: '1' });
  });

  it('of a plan without any are none', async () => {
    const id = await customer({}, at('04-01'));
    const { quantities } = await subscribe(id, await plan([FLAT]));
    assert.deepEqual(quantities, {});
  });

  it('are scheduled, the next first; a later request for an instant replaces the names that it gives', async () => {
    const id = await customer({}, at('04-01'));
    const { id: subscription_id } = await subscribe(id, await plan([SEATS, MODULES]));
    await seats(subscription_id, '7', '04-21');
    const both = { quantities: { seat: '3', module: '2.5' }, at: at('04-16') };
    await done(`/v1/subscriptions/${subscription_id}/quantities`, both);
    await seats(subscription_id, '4.000', '04-16');
    assert.deepEqual(await shownOf(subscription_id), {
      quantities: { seat: '1', module: '1' },
      pending_quantities: [
        { at: at('04-16'), quantities: { seat: '4', module: '2.5' } },
        { at: at('04-21'), quantities: { seat: '7' } },
      ],
    });
    await go(id, '04-17');
    assert.deepEqual(await shownOf(subscription_id), {
      quantities: { seat: '4', module: '2.5' },
      pending_quantities: [{ at: at('04-21'), quantities: { seat: '7' } }],
    });
  });

  it('hold at once, in the past of the open period, and at its end', async () => {
    const { id, subscription_id } = await aLife([SEATS]);
    await go(id, '04-21');
    assert.deepEqual((await seats(subscription_id, '15', '04-16')).quantities, { seat: '15' });
    assert.deepEqual((await seats(subscription_id, '16', 'now')).quantities, { seat: '16' });
    await seats(subscription_id, '20', 'period_end');
    await go(id, '06-01');
    assert.deepEqual(await billsOf(id), ['period 102.67 (40.00, 20.00, 42.67)', 'period 160.00 (160.00)']);
  });

  it('are refused with the reason', async () => {
    const { id, subscription_id } = await aLife([SEATS]);
    const path = `/v1/subscriptions/${subscription_id}/quantities`;
    const refused = async (body: object) => faultOf(await post(path, { at: 'now', ...body }));
    const quantities = { seat: '11' };
    assert.deepEqual(await refused({}), [400, 'missing', 'quantities']);
    assert.deepEqual(faultOf(await post(path, { quantities })), [400, 'missing', 'at']);
    for (const seat of ['-1', '1.0000001', '1234567890123456'])
      assert.deepEqual(
        await refused({ quantities: { seat } }),
        [400, 'out_of_range', 'quantities.seat'],
        seat,
      );
    assert.deepEqual(await refused({ quantities: { seat: 'ten' } }), [400, 'malformed', 'quantities.seat']);
    assert.deepEqual(await refused({ quantities: { seat: '2', desk: '1' } }), [
      400,
      'not_allowed',
      'quantities.desk',
    ]);
    assert.deepEqual(await refused({ quantities, bill: 'later' }), [400, 'not_allowed', 'bill']);
    assert.deepEqual(await refused({ quantities, at: at('04-02', 1) }), [400, 'out_of_range', 'at']);
    const long_ago = later(at('04-01'), -35 * DAY_MS - 1);
    assert.deepEqual(await refused({ quantities, at: long_ago }), [400, 'out_of_range', 'at']);
    assert.deepEqual(await refused({ quantities: { seat: '10' } }), [409, 'invalid_state', 'quantities']);
    await go(id, '05-02');
    assert.deepEqual(await refused({ quantities, at: at('04-30') }), [409, 'invalid_state', 'at']);
    await done(`/v1/subscriptions/${subscription_id}/cancel`, { at: at('05-16') });
    assert.deepEqual(await refused({ quantities, at: at('05-16') }), [409, 'invalid_state', 'at']);
    await go(id, '05-17');
    assert.deepEqual(await refused({ quantities }), [409, 'invalid_state', 'at']);
    assert.equal((await asked('sub_unknown', '1', 'now')).status, 404);
    assert.deepEqual((await shownOf(subscription_id)).quantities, { seat: '10' });
    const starts = { customer_id: id, plan_id: await plan([FLAT]), quantities };
    assert.deepEqual(faultOf(await post('/v1/subscriptions', starts)), [
      400,
      'not_allowed',
      'quantities.seat',
    ]);
  });

  it('belong to their environment', async () => {
    const { subscription_id } = await aLife([SEATS]);
    for (const key of [stack().live_key]) {
      const body = { quantities: { seat: '1' }, at: 'now' };
      const path = `/v1/subscriptions/${subscription_id}/quantities`;
      assert.equal((await post(path, body, { key })).status, 404);
      assert.equal((await get(`${path}?at=${at('04-16')}`, { method: 'DELETE', key })).status, 404);
    }
  });

  it(`may change at ${INSTANTS_TO_COME_MAX} instants to come, and at ${INSTANTS_MAX} in a full period`, async () => {
    const { id, subscription_id } = await aLife([SEATS]);
    for (let day = 1; day <= INSTANTS_TO_COME_MAX; day++)
      await seats(subscription_id, `${day}`, later(at('05-01'), day * DAY_MS));
    assert.deepEqual(faultOf(await asked(subscription_id, '30', '04-16')), [409, 'too_many', 'at']);
    await seats(subscription_id, '40', later(at('05-01'), DAY_MS));
    await seats(subscription_id, '9', 'now');
    await stack().pool.query(
      `insert into quantity_changes (environment_id, subscription_id, event_name, at, quantity, settle, bill, came_at)
       select environment_id, id, 'seat', $2::timestamptz + n * interval '1 second', n, 'balance', 'with_next', now()
       from subscriptions cross join generate_series(1, 980) as n where id = $1`,
      [subscription_id, at('04-02')],
    );
    await go(id, '04-03');
    assert.deepEqual(faultOf(await asked(subscription_id, '9', 'now')), [409, 'too_many', 'at']);
    await go(id, '05-01');
    const [invoice] = (await read(`/v1/invoices?subscription_id=${subscription_id}`)).data;
    assert.equal(invoice.line_items[0].stretches.length, 981);
  });

  it('of ten equal requests at once change once', async () => {
    const { id, subscription_id } = await aLife([SEATS_IN_ADVANCE]);
    await go(id, '04-16');
    const answers = await Promise.all(
      times(10, {}).map(() => asked(subscription_id, '15', 'now', { bill: 'now' })),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array<number>(9).fill(409)]);
    assert.deepEqual(await billsOf(id), ['opening 80.00 (80.00)', 'opening 20.00 (40.00, 60.00 less 80.00)']);
  });

  it('that are scheduled are taken back, once', async () => {
    const { id, subscription_id } = await aLife([SEATS]);
    await seats(subscription_id, '15', '04-16');
    const { status, body } = await takeBack(subscription_id, '04-16');
    assert.deepEqual([status, body.pending_quantities], [200, []]);
    assert.deepEqual(faultOf(await takeBack(subscription_id, '04-16')), [409, 'invalid_state', 'at']);
    await seats(subscription_id, '15', '04-16');
    await go(id, '04-16');
    assert.deepEqual(faultOf(await takeBack(subscription_id, '04-16')), [409, 'invalid_state', 'at']);
    const without = await get(`/v1/subscriptions/${subscription_id}/quantities`, { method: 'DELETE' });
    assert.deepEqual(faultOf(without), [400, 'missing', 'at']);
  });

  it('at the end of the subscription or after it are dropped', async () => {
    const { id, subscription_id } = await aLife([SEATS]);
    await seats(subscription_id, '12', '04-15');
    await seats(subscription_id, '15', '04-16');
    await done(`/v1/subscriptions/${subscription_id}/cancel`, { at: at('04-16') });
    await get(`/v1/subscriptions/${subscription_id}/cancel`, { method: 'DELETE' });
    assert.deepEqual((await shownOf(subscription_id)).pending_quantities, [
      { at: at('04-15'), quantities: { seat: '12' } },
    ]);
    await go(id, '05-01');
    assert.deepEqual(await billsOf(id), ['period 88.53 (37.33, 51.20)']);
  });

  it('until billing begins are those with which it begins', async () => {
    const dates = { trial_end_date: at('04-15') };
    const { id, subscription_id } = await aLife([SEATS], {}, dates);
    const { quantities, pending_quantities } = await seats(subscription_id, '12', '04-10');
    assert.deepEqual([quantities, pending_quantities], [{ seat: '12' }, []]);
    assert.deepEqual(faultOf(await asked(subscription_id, '12', '04-15')), [
      409,
      'invalid_state',
      'quantities',
    ]);
    await seats(subscription_id, '11', '04-15');
    await seats(subscription_id, '14', '05-01');
    await go(id, '05-15');
    assert.deepEqual(await billsOf(id), ['period 99.20 (46.93, 52.27)']);
  });

  it('in a trial that is extended beyond them begin with it', async () => {
    const id = await customer({}, at('04-01'));
    const dates = { trial_end_date: at('05-01'), quantities: { seat: '10' } };
    const { id: subscription_id } = await subscribe(id, await plan([SEATS_IN_ADVANCE, PER_UNIT]), dates);
    await seats(subscription_id, '14', '05-10');
    await done(`/v1/subscriptions/${subscription_id}/trial`, { ends_at: at('05-20') });
    await go(id, '05-20');
    assert.deepEqual(await billsOf(id), ['opening 112.00 (112.00)']);
  });

  it('go over to every later plan with their names, and come and go with a change that has some', async () => {
    const { id, subscription_id } = await aLife([SEATS]);
    const path = `/v1/subscriptions/${subscription_id}/change`;
    const other = await plan([{ ...SEATS, flat_amount: '9.00' }]);
    const flat = await plan([FLAT]);
    assert.deepEqual(
      faultOf(await post(path, { plan_id: flat, at: 'period_end', quantities: { seat: '2' } })),
      [400, 'not_allowed', 'quantities.seat'],
    );
    await seats(subscription_id, '12', '05-10');
    await done(path, { plan_id: other, at: 'period_end', quantities: { seat: '20' } });
    const of_change = { at: at('05-01'), quantities: { seat: '20' } };
    const scheduled = { at: at('05-10'), quantities: { seat: '12' } };
    assert.deepEqual((await shownOf(subscription_id)).pending_quantities, [of_change, scheduled]);
    await get(path, { method: 'DELETE' });
    assert.deepEqual((await shownOf(subscription_id)).pending_quantities, [scheduled]);
    await done(path, { plan_id: other, at: 'period_end', quantities: { seat: '20' } });
    await done(path, { plan_id: flat, at: at('04-20') });
    assert.deepEqual((await shownOf(subscription_id)).pending_quantities, [scheduled]);
    await done(path, { plan_id: other, at: at('05-01'), quantities: { seat: '31' } });
    await go(id, '06-01');
    assert.deepEqual(await billsOf(id), ['period 80.00 (80.00)', 'period 157.65 (81.00, 76.65)']);
  });

  it('are changes of the subscription in the feed, asked for and come, and in the audit log', async () => {
    const { id, subscription_id } = await aLife([SEATS]);
    const newest = async () => (await read('/v1/changes?limit=1')).newest_sequence as number;
    const updatesAfter = async (after: number) =>
      (await changesAfter(read, after)).filter(
        ({ object_id, type }) => object_id === subscription_id && type === 'subscription.updated',
      );
    await go(id, '04-02');
    const before = await newest();
    await seats(subscription_id, '15', '04-16', { settle: 'outside' });
    await go(id, '04-17');
    const changes = await eventually(
      () => updatesAfter(before),
      (found) => found.length > 1,
    );
    assert.equal(changes.length, 2);
    assert.equal(changes.at(-1)!['data'].quantities.seat, '15');
    const [entry] = (await read(`/v1/audit-log?object_id=${subscription_id}`)).data;
    assert.equal(entry.action, 'subscription.updated');
    assert.deepEqual(entry.after, {
      ...{ quantities: { seat: '15' }, at: at('04-16') },
      ...{ settle: 'outside', bill: 'with_next' },
    });
  });
});
