import assert from 'node:assert/strict';
import { rollUp } from '../../../src/db/reports/roll-up.ts';
import { fillDimensions } from '../../../src/db/events/rollup-cells.ts';
import type { Json } from '../../support/servers/api.ts';
import { eventually } from '../../support/servers/eventually.ts';
import { at, requestsTo, testCustomersOn, times } from '../../support/ledger/test-customer.ts';
import { useStack } from '../../support/servers/stack.ts';

const SUM = { type: 'sum', property: 'tokens' };
const TOKENS = {
  event_name: 'completion',
  name: 'Tokens',
  pricing_model: 'per_unit',
  aggregation: SUM,
  prices: [
    { match: { model: ['big', 'bigger'] }, unit_amount: '0.00001' },
    { match: { model: ['small'] }, unit_amount: '0.000001' },
    { default: true, unit_amount: '0.000008' },
  ],
};
const BY_MODEL = {
  event_name: 'completion',
  pricing_model: 'per_unit',
  unit_amount: '0.01',
  group_by: ['model'],
};

/** Each line in short: price, group, quantity, amount. */
const said = ({ line_items }: Json): string[] =>
  line_items.map(({ price_index, group, others, quantity, amount, type }: Json) =>
    [
      ...(type === 'usage' ? [] : [type]),
      ...(price_index === null ? [] : [`price ${price_index}`]),
      ...(group === null ? [] : [JSON.stringify(group)]),
      ...(others ? ['others'] : []),
      quantity,
      amount,
    ].join(' '),
  );

describe('prices and lines by the values of properties', () => {
  const stack = useStack();
  const lives = testCustomersOn(requestsTo(stack));
  const { advance, customer, done, get, grant, plan, read, subscribe, use } = lives;
  const used = (properties: object, day = '01-01T12:00') => ({
    event_name: 'completion',
    timestamp: at(day),
    properties,
  });

  async function subscriber(charges: object[]): Promise<{ id: string; subscription: Json }> {
    const id = await customer();
    return { id, subscription: await subscribe(id, await plan(charges)) };
  }

  async function rolledUp(): Promise<void> {
    while (await rollUp(stack().pool));
    while (await fillDimensions(stack().pool));
  }

  for (const is_rolled_up of [false, true])
    it(`a line for each price with usage, in the order of the list${is_rolled_up ? ', rolled up' : ''}`, async () => {
      const { id } = await subscriber([TOKENS]);
      await use(id, [
        used({ model: 'small', tokens: 5_000_000 }),
        used({ model: 'big', tokens: 1_000_000 }),
        used({ model: 'bigger', tokens: '200000' }),
        used({ model: 'unknown', tokens: 60_000 }),
        used({ tokens: 40_000 }),
      ]);
      if (is_rolled_up) await rolledUp();
      const [invoice] = await advance(id, at('02-01'));
      assert.deepEqual(said(invoice), [
        'price 0 1200000 12.00',
        'price 1 5000000 5.00',
        'price 2 100000 0.80',
      ]);
      const titles = ['Tokens (model big or bigger)', 'Tokens (model small)', 'Tokens (other model)'];
      assert.deepEqual(
        invoice.line_items.map(({ description }: Json) => description.split(':')[0]),
        titles,
      );
    });

  it('without a default, an event that no price is for is unrated, and a charge without events has no line', async () => {
    const { id } = await subscriber([{ ...TOKENS, prices: TOKENS.prices.slice(0, 2) }]);
    await use(id, [used({ model: 'unknown', tokens: 1 })]);
    const [invoice] = await advance(id, at('02-01'));
    assert.deepEqual([said(invoice), invoice.total], [[], '0.00']);
    const { data } = await read(`/v1/events?customer_id=${id}`);
    const { billing } = await read(`/v1/events/${data[0].id}`);
    assert.deepEqual([billing[0].status, billing[0].reason], ['unrated', 'no_price']);
  });

  it('skipped events alone are a line of zero', async () => {
    const { id } = await subscriber([TOKENS]);
    await use(id, [used({ model: 'big' }), used({ model: 'big', tokens: 'many' })]);
    const [{ line_items }] = await advance(id, at('02-01'));
    assert.deepEqual(
      line_items.map(({ quantity, skipped_events, amount }: Json) => [quantity, skipped_events, amount]),
      [['0', 2, '0.00']],
    );
  });

  it('a group has its members in the order of group_by, wherever it is shown', async () => {
    const { id, subscription } = await subscriber([{ ...BY_MODEL, group_by: ['region', 'ab'] }]);
    const group = { region: 'eu', ab: 'x' };
    await use(id, [used(group), used(group)]);
    const shown = JSON.stringify(group);
    const groupsOf = ({ line_items }: Json) => line_items.map((line: Json) => JSON.stringify(line.group));
    const upcoming = await read(`/v1/subscriptions/${subscription.id}/upcoming-invoice`);
    assert.deepEqual(groupsOf(upcoming), [shown]);
    const [made] = await advance(id, at('02-01'));
    assert.deepEqual(groupsOf(made), [shown]);
    assert.deepEqual(groupsOf(await read(`/v1/invoices/${made.id}`)), [shown]);
    await use(id, [used(group)]);
    const preview = await done(`/v1/invoices/${made.id}/regenerate`, { dry_run: true });
    assert.deepEqual([groupsOf(preview.current), groupsOf(preview.proposed)], [[shown], [shown]]);
    for (const named of [
      ...preview.changes.slice(0, 1).map((change: Json) => change.line_item),
      ...preview.events_added,
    ])
      assert.equal(JSON.stringify(named.group), shown);
    const csv = await fetch(`${stack().api_url}/v1/line-items.csv?customer_id=${id}`, {
      headers: { Authorization: `Bearer ${stack().test_key}` },
    });
    assert.match(await csv.text(), /region.*ab/);
    // The late line names a group that has been stored before.
    const [late] = await advance(id, at('03-01'));
    assert.deepEqual(groupsOf(late), [shown]);
  });

  it('a line for each value of a property: no value is a group, "none" another, 1 and "1" are one', async () => {
    const { id } = await subscriber([BY_MODEL]);
    await use(id, [
      ...times(3, used({ model: 'b' })),
      used({ model: 'none' }),
      ...times(2, used({})),
      used({ model: 1 }),
      used({ model: '1' }),
      used({ model: null }),
      used({ model: 'x'.repeat(256) }),
    ]);
    const [invoice] = await advance(id, at('02-01'));
    const groups = [
      '{"model":"1"} 2 0.02',
      '{"model":"b"} 3 0.03',
      '{"model":"none"} 1 0.01',
      '{"model":null} 3 0.03',
    ];
    assert.deepEqual(said(invoice), [...groups, 'others 1 0.01']);
    const events = [];
    for (const line of invoice.line_items) {
      const { data } = await read(`/v1/invoices/${invoice.id}/line-items/${line.id}/events`);
      events.push(data.length);
    }
    assert.deepEqual(events, [2, 3, 1, 3, 1]);
  });

  for (const aggregation of [{ type: 'count' }, { type: 'unique', property: 'user' }, SUM])
    it(`the 100 greatest groups have lines, the rest is one that stays: ${aggregation.type}`, async () => {
      const { id } = await subscriber([{ ...BY_MODEL, aggregation }]);
      const of = (model: number, count: number) =>
        times(count, used({ model: `m${`${model}`.padStart(3, '0')}` })).map((event, user) => ({
          ...event,
          properties: { ...event.properties, user, tokens: 1 },
        }));
      const many = Array.from({ length: 103 }, (_, model) => of(model, model < 3 ? 1 : 2)).flat();
      await use(id, many);
      const [first] = await advance(id, at('02-01'));
      assert.equal(first.line_items.length, 101);
      assert.deepEqual(said(first).slice(0, 1), ['{"model":"m003"} 2 0.02']);
      const { quantity } = first.line_items.at(-1);
      assert.deepEqual(
        [first.line_items.at(-1).others, quantity],
        [true, aggregation.type === 'unique' ? '1' : '3'],
      );
      // Late: a group of the rest stays there, whatever its quantity is now.
      await use(id, [...of(1, 50), ...of(5, 3)]);
      const [second] = await advance(id, at('03-01'));
      assert.deepEqual(
        said(second),
        aggregation.type === 'unique'
          ? ['late_usage {"model":"m005"} 1 0.01', 'late_usage others 49 0.49']
          : ['late_usage {"model":"m005"} 3 0.03', 'late_usage others 50 0.50'],
      );
    });

  it('late usage, regeneration and credit go by price', async () => {
    const { id } = await subscriber([TOKENS]);
    await grant(id, 1_000_000);
    await use(id, [used({ model: 'big', tokens: 900_000 }), used({ model: 'small', tokens: 300_000 })]);
    const [first] = await advance(id, at('02-01'));
    assert.deepEqual(said(first), ['price 0 900000 0.00', 'price 1 300000 0.20']);
    assert.deepEqual(
      first.line_items.map(({ credits_applied }: Json) => credits_applied),
      ['900000', '100000'],
    );
    await use(id, [used({ model: 'small', tokens: 500_000 }), used({ model: 'other', tokens: 1_000_000 })]);
    const [second] = await advance(id, at('03-01'));
    assert.deepEqual(said(second), ['late_usage price 1 500000 0.50', 'late_usage price 2 1000000 8.00']);
    await done(`/v1/invoices/${second.id}/void`);
    const third = await done(`/v1/invoices/${first.id}/regenerate`);
    assert.deepEqual(said(third), ['price 0 900000 0.00', 'price 1 800000 0.70', 'price 2 1000000 8.00']);
    const preview = await done(`/v1/invoices/${third.id}/regenerate`, { dry_run: true });
    assert.deepEqual([preview.changes, preview.events_added], [[], []]);
  });

  it('parts of a cut period are billed by group', async () => {
    const { id, subscription } = await subscriber([BY_MODEL]);
    await use(id, [used({ model: 'a' }, '01-01T12:00'), used({ model: 'b' }, '01-01T12:00')]);
    await advance(id, at('01-11'));
    await done('/v1/invoices/generate', { subscription_id: subscription.id, close_now: true });
    await use(id, [used({ model: 'b' }, '01-12'), used({ model: 'c' }, '01-12')]);
    const [second] = await advance(id, at('02-01'));
    assert.deepEqual(said(second), ['{"model":"b"} 1 0.01', '{"model":"c"} 1 0.01']);
  });

  it('a plan that names a property anew fills the days that are rolled up', async () => {
    const { id } = await subscriber([{ event_name: 'other', pricing_model: 'per_unit', unit_amount: '1' }]);
    await use(id, [used({ model: 'a', tokens: 2 }), used({ model: 'b', tokens: 3 })]);
    await rolledUp();
    await subscribe(id, await plan([{ ...TOKENS, group_by: ['model'] }]));
    const cellsOf = async () => {
      await rolledUp();
      const { rows } = await stack().pool.query(
        `select "values" ->> 'model' as model, property, events::integer, total::text from usage_cells c
         join customers k on k.key = c.customer_key where k.external_id = $1 and c.event_name = 'completion' order by 1, 2`,
        [id],
      );
      return rows.map((row) => Object.values(row).join(' '));
    };
    // The worker of the stack rolls up as well, and fills one customer after the other.
    const cells = await eventually(cellsOf, ({ length }) => length === 4, 100_000);
    assert.deepEqual(cells, ['a  1 ', 'a tokens 1 2', 'b  1 ', 'b tokens 1 3']);
  }).timeout(120_000);

  it('the upcoming invoice shows the same lines', async () => {
    const { id, subscription } = await subscriber([{ ...TOKENS, group_by: ['region'] }]);
    await use(id, [
      used({ model: 'small', region: 'eu', tokens: 1_000_000 }),
      used({ model: 'x', tokens: 1_000_000 }),
    ]);
    const { body } = await get(`/v1/subscriptions/${subscription.id}/upcoming-invoice`);
    assert.deepEqual(said(body), [
      'price 1 {"region":"eu"} 1000000 1.00',
      'price 2 {"region":null} 1000000 8.00',
    ]);
  });
});
