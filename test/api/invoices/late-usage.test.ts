import assert from 'node:assert/strict';
import type { Json } from '../../support/servers/api.ts';
import {
  at,
  FLAT,
  testCustomersOn,
  PER_UNIT,
  requestsTo,
  times,
} from '../../support/ledger/test-customer.ts';
import { TIERS } from '../../support/ledger/tiers.ts';
import { useStack } from '../../support/servers/stack.ts';

const T = { event_name: 'api_call', pricing_model: 'graduated', tiers: TIERS };
const VOLUME = { event_name: 'api_call', pricing_model: 'volume', tiers: TIERS };

/** Each line in short: type, quantity, amount. */
const said = ({ line_items }: Json) =>
  line_items.map(({ type, quantity, amount }: Json) => `${type} ${quantity} ${amount}`);

describe('everything that is billed in parts', () => {
  const stack = useStack();
  const lives = testCustomersOn(requestsTo(stack));
  const { advance, customer, done, grant, plan, read, subscribe, use } = lives;
  const january = (count: number, parts: object = {}) =>
    times(count, { timestamp: at('01-01T12:00'), ...parts });
  const regenerate = (invoice: Json): Promise<Json> => done(`/v1/invoices/${invoice.id}/regenerate`);
  const voidOf = (invoice: Json): Promise<Json> => done(`/v1/invoices/${invoice.id}/void`);

  async function subscriber(
    charges: object[],
    parts: object = {},
  ): Promise<{ id: string; subscription: Json }> {
    const id = await customer(parts);
    return { id, subscription: await subscribe(id, await plan(charges)) };
  }

  /** January: 900 units on T. Then 300 late units, billed in February. */
  async function aLateLine(): Promise<{ id: string; first: Json; second: Json }> {
    const { id } = await subscriber([T]);
    await use(id, january(900));
    const [first] = await advance(id, at('02-01'));
    await use(id, january(300));
    const [second] = await advance(id, at('03-01'));
    return { id, first, second };
  }

  it('900 on T are 90.00; 300 late are 25.00 on the next invoice, which names the period', async () => {
    const { first, second } = await aLateLine();
    assert.deepEqual(said(first), ['usage 900 90.00']);
    assert.deepEqual(said(second), ['usage 0 0.00', 'late_usage 300 25.00']);
    const late = second.line_items[1];
    assert.deepEqual([late.period_start, late.period_end, late.tiers], [at('01-01'), at('02-01'), null]);
    assert.match(
      late.description,
      /^Late usage: Api call: 300 events, from 1 to 31 January \d+, priced together with 900/,
    );
    assert.deepEqual([second.period_start, second.total], [at('02-01'), '25.00']);
  });

  it('then 200 more and the first invoice regenerated: 1,100 units for 100.00, both together 125.00', async () => {
    const { id, first, second } = await aLateLine();
    await use(id, january(200));
    const third = await regenerate(first);
    assert.deepEqual(said(third), ['usage 1100 100.00']);
    assert.deepEqual([third.replaces, third.status, third.line_items[0].tiers], [first.id, 'open', null]);
    const old = await read(`/v1/invoices/${first.id}`);
    assert.deepEqual([old.status, old.replaced_by, old.number], ['void', third.id, first.number]);
    assert.deepEqual(said(await read(`/v1/invoices/${second.id}`)), said(second));
    const [next] = await advance(id, at('04-01'));
    assert.deepEqual(said(next), ['usage 0 0.00']);
  });

  it('after a void of the second invoice its 300 units are late again, and come with the next invoice', async () => {
    const { id, second } = await aLateLine();
    await voidOf(second);
    const [next] = await advance(id, at('04-01'));
    assert.deepEqual(said(next), ['usage 0 0.00', 'late_usage 300 25.00']);
  });

  it('a period whose invoice is void is billed again only by generate, with its late usage', async () => {
    const { id, subscription } = await subscriber([FLAT, T]);
    await use(id, january(900));
    const [first] = await advance(id, at('02-01'));
    await voidOf(first);
    await use(id, january(300));
    const [second] = await advance(id, at('03-01'));
    assert.deepEqual(said(second), ['flat 1 49.00', 'usage 0 0.00']);
    const { data } = await done('/v1/invoices/generate', { subscription_id: subscription.id });
    assert.deepEqual(data.map(said), [['flat 1 49.00', 'usage 1200 115.00']]);
    assert.equal((await done('/v1/invoices/generate', { subscription_id: subscription.id })).data.length, 0);
  });

  it('close_now cuts: 900, then 300 are 90.00 and 25.00; 49.00 flat are 17.39 and 31.61', async () => {
    const { id, subscription } = await subscriber([FLAT, T]);
    await advance(id, at('01-12'));
    await use(id, times(900, { timestamp: at('01-05') }));
    const { data } = await done('/v1/invoices/generate', {
      subscription_id: subscription.id,
      close_now: true,
    });
    // Flat: 49.00 x 11 / 31 days.
    assert.deepEqual(data.map(said), [['flat 1 17.39', 'usage 900 90.00']]);
    assert.deepEqual([data[0].period_start, data[0].period_end], [at('01-01'), at('01-12')]);
    const again = await done('/v1/invoices/generate', { subscription_id: subscription.id, close_now: true });
    assert.deepEqual(again.data, []);
    // The second part bills late usage of the first part.
    await use(id, [
      ...times(100, { timestamp: at('01-05') }),
      ...times(200, { timestamp: at('01-12T06:00') }),
    ]);
    const [rest] = await advance(id, at('02-01'));
    assert.deepEqual(said(rest), ['flat 1 31.61', 'usage 300 25.00']);
    assert.deepEqual([rest.period_start, rest.period_end], [at('01-12'), at('02-01')]);
    // After both parts are billed, the next invoice bills it, for the full period.
    await use(id, times(100, { timestamp: at('01-06') }));
    const [next] = await advance(id, at('03-01'));
    assert.deepEqual(said(next), ['flat 1 49.00', 'usage 0 0.00', 'late_usage 100 5.00']);
    assert.deepEqual(
      [next.line_items[2].period_start, next.line_items[2].period_end],
      [at('01-01'), at('02-01')],
    );
  });

  it('100 unique users are not billed twice in a cut period', async () => {
    const UNIQUE = { ...PER_UNIT, aggregation: { type: 'unique', property: 'user' } };
    const { id, subscription } = await subscriber([UNIQUE]);
    await advance(id, at('01-12'));
    const users = (from: number, to: number, timestamp: string) =>
      Array.from({ length: to - from }, (_, n) => ({ timestamp, properties: { user: from + n } }));
    await use(id, users(0, 100, at('01-05')));
    const { data } = await done('/v1/invoices/generate', {
      subscription_id: subscription.id,
      close_now: true,
    });
    await use(id, users(50, 120, at('01-12T07:00')));
    const [rest] = await advance(id, at('02-01'));
    assert.deepEqual([data[0], rest].map(said), [['usage 100 100.00'], ['usage 20 20.00']]);
  });

  it('a negative late line lowers the invoice; one that would make it negative is credited', async () => {
    const { id } = await subscriber([VOLUME, { ...PER_UNIT, event_name: 'other' }]);
    await use(id, january(900));
    await advance(id, at('02-01'));
    // 1,001 units at volume prices cost 55.05, so 34.95 of the billed 90.00 are owed back.
    await use(id, january(101));
    const [second] = await advance(id, at('03-01'));
    assert.deepEqual(said(second), ['usage 0 0.00', 'usage 0 0.00', 'late_usage 101 0.00']);
    const [note] = (await read(`/v1/credit-notes?customer_id=${id}`)).data;
    assert.deepEqual([note.automatic, note.total], [true, '34.95']);
    await use(id, times(40, { event_name: 'other', timestamp: at('03-01T02:00') }));
    const [third] = await advance(id, at('04-01'));
    assert.deepEqual(said(third), ['usage 0 0.00', 'usage 40 40.00']);
  });

  it('usage stored more than 35 days after the period is too late, and billed only by regenerate', async () => {
    const { id } = await subscriber([PER_UNIT]);
    await use(id, january(1));
    const [first] = await advance(id, at('02-01'));
    await advance(id, at('03-07T23:59'));
    await use(id, january(2));
    await advance(id, at('03-08'));
    await use(id, january(4));
    const [next] = await advance(id, at('04-01'));
    assert.deepEqual(said(next), ['usage 0 0.00', 'late_usage 2 2.00']);
    assert.deepEqual(said(await regenerate(first)), ['usage 5 5.00']);
  });

  it('credit covers late units; a regeneration returns the credit and draws it again', async () => {
    const { id } = await subscriber([PER_UNIT]);
    const granted = await grant(id, 1000, { rollover: true });
    const left = async () => (await read(`/v1/credit-grants/${granted.id}`)).remaining;
    await use(id, january(900));
    const [first] = await advance(id, at('02-01'));
    assert.deepEqual([first.status, first.credits_applied, await left()], ['paid', '900', 100]);
    await use(id, january(300));
    const [second] = await advance(id, at('03-01'));
    assert.deepEqual(
      [said(second), second.credits_applied, await left()],
      [['usage 0 0.00', 'late_usage 300 200.00'], '100', 0],
    );
    const again = await regenerate(first);
    assert.deepEqual([again.status, again.credits_applied, await left()], ['paid', '900', 0]);
    await voidOf(second);
    assert.equal(await left(), 100);
  });

  it('a late line with fewer units returns the credit that is no longer needed', async () => {
    const SUM = { ...PER_UNIT, aggregation: { type: 'sum', property: 'n' } };
    const { id } = await subscriber([SUM, { ...PER_UNIT, event_name: 'other' }]);
    const granted = await grant(id, 1000, { rollover: true });
    await use(id, january(1, { properties: { n: 1000 } }));
    await advance(id, at('02-01'));
    await use(id, january(1, { properties: { n: -400 } }));
    const [second] = await advance(id, at('03-01'));
    assert.deepEqual(
      [said(second), second.credits_applied],
      [['usage 0 0.00', 'usage 0 0.00', 'late_usage -400 0.00'], '-400'],
    );
    const { remaining, ledger } = await read(`/v1/credit-grants/${granted.id}`);
    assert.equal(remaining, 400);
    assert.deepEqual(
      ledger.map(({ type, amount }: Json) => `${type} ${amount}`),
      ['granted 1000', 'drawn -1000', 'returned 400'],
    );
    // The void draws the credit again. It would be refused if another invoice had used it.
    await voidOf(second);
    assert.equal((await read(`/v1/credit-grants/${granted.id}`)).remaining, 0);
  });

  it('a late unit that a held draft shows as covered by credit is not charged on the next draft', async () => {
    const { id } = await subscriber([PER_UNIT]);
    await grant(id, 5, { rollover: true });
    await advance(id, at('02-01'));
    await use(id, january(1));
    const [second] = await advance(id, at('03-01'), { hold_drafts: true });
    const [third] = await advance(id, at('04-01'), { hold_drafts: true });
    assert.deepEqual([second, third].map(said), [['usage 0 0.00', 'late_usage 1 0.00'], ['usage 0 0.00']]);
    for (const { id: draft_id } of [third, second]) await done(`/v1/invoices/${draft_id}/finalize`);
    const issued = await read(`/v1/invoices/${second.id}`);
    assert.deepEqual([said(issued), issued.credits_applied], [said(second), '1']);
  });

  it('a canceled subscription has one last invoice of late usage, 35 days after its end', async () => {
    const { id, subscription } = await subscriber([T]);
    await use(id, january(900));
    await advance(id, at('01-21'));
    const canceled = await done(`/v1/subscriptions/${subscription.id}/cancel`, { at: 'now' });
    assert.deepEqual(
      [canceled.status, canceled.canceled_at, canceled.cancel_at],
      ['canceled', at('01-21'), null],
    );
    assert.deepEqual(
      [canceled.current_period_start, canceled.current_period_end],
      [at('01-01'), at('01-21')],
    );
    await advance(id, at('02-10'));
    const { data } = await read(`/v1/invoices?subscription_id=${subscription.id}`);
    assert.deepEqual(data.map(said), [['usage 900 90.00']]);
    await use(id, [...january(300), ...times(5, { timestamp: at('01-21') })]);
    const [last, ...more] = await advance(id, at('04-01'));
    assert.deepEqual([said(last), more], [['late_usage 300 25.00'], []]);
    assert.deepEqual([last.period_start, last.period_end], [at('01-21'), at('02-25')]);
  });
});
