import assert from 'node:assert/strict';
import { expireGrants } from '../../../src/db/credit/expired-credit.ts';
import type { Json } from '../../support/servers/api.ts';
import {
  at,
  FLAT,
  later,
  testCustomersOn,
  PER_UNIT,
  requestsTo,
  times,
  type Use,
} from '../../support/ledger/test-customer.ts';
import { TIERS } from '../../support/ledger/tiers.ts';
import { useStack } from '../../support/servers/stack.ts';

const SUBSCRIPTIONS = '/v1/subscriptions';

describe('periods, one after the other', () => {
  const stack = useStack();
  const lives = testCustomersOn(requestsTo(stack));
  const { advance, customer, grant, plan, read, subscribe, use } = lives;

  const LIVES: {
    what: string;
    dates: object;
    every?: [interval: string, interval_count: number];
    clock?: string;
    /** Start of the first billed period. The end of each billed period, with its amount of 49.00 per period. */
    start: string;
    ends: [end: string, amount: string][];
  }[] = [
    {
      what: 'from 31 January: the last day of each month, counted from the anchor',
      dates: { start_date: at('01-31') },
      start: at('01-31'),
      ends: [
        [at('02-28'), '49.00'],
        [at('03-31'), '49.00'],
        [at('04-30'), '49.00'],
        [at('05-31'), '49.00'],
      ],
    },
    {
      what: 'a short first period, flat by exact time: 11 of 30 days are 17.97',
      dates: { start_date: at('04-20'), billing_anchor: at('01-01') },
      start: at('04-20'),
      ends: [
        [at('05-01'), '17.97'],
        [at('06-01'), '49.00'],
      ],
    },
    {
      what: 'by exact time means by the millisecond: 36 of 744 hours',
      dates: { start_date: at('01-30T12:00'), billing_anchor: at('07-01') },
      start: at('01-30T12:00'),
      ends: [
        [at('02-01'), '2.37'],
        [at('03-01'), '49.00'],
      ],
    },
    {
      what: 'after a trial, which is free and the anchor',
      dates: { trial_end_date: at('01-15') },
      start: at('01-15'),
      ends: [
        [at('02-15'), '49.00'],
        [at('03-15'), '49.00'],
      ],
    },
    {
      what: 'after a trial to an anchor: 17 of 31 days',
      dates: { trial_end_date: at('01-15'), billing_anchor: at('02-01') },
      start: at('01-15'),
      ends: [
        [at('02-01'), '26.87'],
        [at('03-01'), '49.00'],
      ],
    },
    {
      what: 'weeks, two at a time',
      dates: {},
      every: ['week', 2],
      start: at('01-01'),
      ends: [
        [at('01-15'), '49.00'],
        [at('01-29'), '49.00'],
      ],
    },
    {
      what: 'days, ten at a time, across the end of February',
      dates: { start_date: at('02-15T06:30') },
      every: ['day', 10],
      start: at('02-15T06:30'),
      ends: [
        [at('02-25T06:30'), '49.00'],
        [at('03-07T06:30'), '49.00'],
      ],
    },
    {
      what: 'years from 29 February',
      clock: at('02-29', 3),
      dates: {},
      every: ['year', 1],
      start: at('02-29', 3),
      ends: [
        [at('02-28', 4), '49.00'],
        [at('02-28', 5), '49.00'],
        [at('02-28', 6), '49.00'],
        [at('02-29', 7), '49.00'],
      ],
    },
  ];
  /** The lives are independent, so they run concurrently. */
  let lived: { invoices: Json[]; subscription: Json }[];
  before(async () => {
    const live = async ({
      dates,
      every = ['month', 1],
      clock = at('01-01'),
      ends,
    }: (typeof LIVES)[number]) => {
      const [interval, interval_count] = every;
      const customer_id = await customer();
      await advance(customer_id, clock);
      const { id } = await subscribe(customer_id, await plan([FLAT], { interval, interval_count }), dates);
      const invoices = await advance(customer_id, ends.at(-1)![0]);
      return { invoices, subscription: await read(`${SUBSCRIPTIONS}/${id}`) };
    };
    lived = await Promise.all(LIVES.map(live));
  });
  for (const [place, { what, start, ends }] of LIVES.entries()) {
    it(what, () => {
      const { invoices, subscription } = lived[place]!;
      const starts = [start, ...ends.map(([end]) => end)];
      assert.deepEqual(
        invoices.map(({ period_start, period_end, total }) => [period_start, period_end, total]),
        ends.map(([end, amount], at) => [starts[at], end, amount]),
      );
      assert.equal(subscription.current_period_start, starts.at(-1));
    });
  }

  it('status and current period follow the customer’s clock', async () => {
    const customer_id = await customer();
    const dates = { start_date: at('01-10'), trial_end_date: at('01-20') };
    const { id } = await subscribe(customer_id, await plan([PER_UNIT]), dates);
    const SEEN: [to: string, status: string, start: string, end: string][] = [
      [later(at('01-10'), -1), 'pending', at('01-10'), at('01-20')],
      [at('01-10'), 'trialing', at('01-10'), at('01-20')],
      [later(at('01-20'), -1), 'trialing', at('01-10'), at('01-20')],
      [at('01-20'), 'active', at('01-20'), at('02-20')],
      [later(at('02-20'), -1), 'active', at('01-20'), at('02-20')],
      [at('02-20'), 'active', at('02-20'), at('03-20')],
    ];
    for (const [to, ...seen] of SEEN) {
      await advance(customer_id, to);
      const { status, current_period_start, current_period_end } = await read(`${SUBSCRIPTIONS}/${id}`);
      assert.deepEqual([status, current_period_start, current_period_end], seen, to);
      const { data } = await read(`${SUBSCRIPTIONS}?customer_id=${customer_id}&status=${status}`);
      assert.deepEqual(
        data.map((listed: Json) => listed.id),
        [id],
      );
    }
  });

  it('an event belongs to the period that holds its timestamp; a trial is free, before the start nothing is billed', async () => {
    const customer_id = await customer();
    const dates = { start_date: at('01-10'), trial_end_date: at('01-20') };
    await subscribe(customer_id, await plan([PER_UNIT]), dates);
    await grant(customer_id, 2, { rollover: true });
    await advance(customer_id, at('03-19'));
    const before = (instant: string) => later(instant, -1);
    const EVENTS: [timestamp: string, count: number][] = [
      [before(at('01-10')), 64],
      [at('01-10'), 32],
      [before(at('01-20')), 16],
      [at('02-20'), 4],
      [before(at('03-20')), 8],
    ];
    for (const [timestamp, count] of EVENTS) await use(customer_id, times(count, { timestamp }));
    const [invoice] = await advance(customer_id, at('03-20'));
    const [line] = invoice.line_items;
    assert.deepEqual([line.quantity, line.credits_applied, invoice.total], ['12', '2', '10.00']);
    const { data } = await read(`/v1/invoices?customer_id=${customer_id}`);
    assert.deepEqual(
      data.map(({ total }: Json) => total),
      ['10.00', '0.00'],
    );
  });

  it('a start five years back is caught up at once and in order', async () => {
    const customer_id = await customer();
    await use(customer_id, times(7, { timestamp: at('06-01', -3) }));
    const yearly = await plan([PER_UNIT], { interval: 'year' });
    await subscribe(customer_id, yearly, { start_date: at('01-01', -5) });
    assert.deepEqual(await advance(customer_id, at('01-01')), []);
    const { data } = await read(`/v1/invoices?customer_id=${customer_id}`);
    const invoices = data.reverse();
    assert.deepEqual(
      invoices.map(({ period_end, total, issued_at }: Json) => [period_end, total, issued_at]),
      [-4, -3, -2, -1, 0].map((years) => [at('01-01', years), years === -2 ? '7.00' : '0.00', at('01-01')]),
    );
    const numbers = invoices.map(({ number }: Json) => Number(number.slice('INV-'.length)));
    assert.deepEqual(
      numbers,
      [0, 1, 2, 3, 4].map((place) => numbers[0] + place),
    );
  });

  it('billing live by the clock and catching up from the past give the same invoices', async () => {
    const charges = [
      FLAT,
      { event_name: 'api_call', pricing_model: 'graduated', tiers: TIERS },
      {
        event_name: 'seat',
        pricing_model: 'per_unit',
        unit_amount: '7.5',
        aggregation: { type: 'latest', property: 'seats' },
      },
    ];
    const plan_id = await plan(charges);
    const terms = { start_date: at('01-15'), billing_anchor: at('01-01') };
    const seats = (timestamp: string, count: number): Use => ({
      event_name: 'seat',
      timestamp,
      properties: { seats: count },
    });
    const months: Use[][] = [
      [...times(200, { timestamp: at('01-20') }), seats(at('01-20'), 2)],
      [...times(20, { timestamp: at('02-03') }), ...times(280, { timestamp: at('02-20') })],
      [...times(400, { timestamp: at('03-31') }), seats(at('03-31'), 5)],
    ];
    const grants = async (customer_id: string) => [
      await grant(customer_id, 300, { rollover: true }),
      await grant(customer_id, 260, { expires_in_days: 40, rollover: true }),
      await grant(customer_id, 25),
    ];
    const told = async (customer_id: string, made: Json[]) => ({
      invoices: (await read(`/v1/invoices?customer_id=${customer_id}`)).data
        .reverse()
        .map(
          ({
            period_start,
            period_end,
            status,
            line_items,
            subtotal,
            tax,
            total,
            credits_applied,
          }: Json) => ({
            ...{ period_start, period_end, status, subtotal, tax, total, credits_applied },
            line_items: line_items.map(({ id, ...line }: Json) => line),
          }),
        ),
      grants: await Promise.all(
        made.map(async ({ id }) => {
          const { remaining, expires_at, status, ledger } = await read(`/v1/credit-grants/${id}`);
          return [remaining, expires_at, status, sums(ledger)];
        }),
      ),
    });

    const live = await customer({ tax_rate: '19' });
    const granted_live = await grants(live);
    await subscribe(live, plan_id, terms);
    for (const [place, end] of [at('02-01'), at('03-01'), at('04-01')].entries()) {
      await advance(live, later(end, -1));
      await use(live, months[place]!);
      await advance(live, end);
    }
    const late = await customer({ tax_rate: '19' });
    const granted_late = await grants(late);
    await advance(late, at('04-01'));
    // The reconciler may do this at any time: no open period can use expired credit.
    const { id: customer_id } = await read(`/v1/customers/${late}`);
    await expireGrants(stack().pool, 1, { customers: [{ customer_id, now: at('04-01') }], issuing: [] });
    assert.equal((await read(`/v1/credit-grants/${granted_late[1].id}`)).remaining, 0);
    await use(late, months.flat());
    await subscribe(late, plan_id, terms);
    await advance(late, at('04-01'));
    const lived = await told(live, granted_live);
    assert.deepEqual(
      lived.invoices.map(({ credits_applied }: Json) => credits_applied),
      ['202', '300', '20'],
    );
    assert.deepEqual(await told(late, granted_late), lived);
  });
});

/** Sum of a ledger's amounts by type. */
function sums(ledger: readonly Json[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { type, amount } of ledger) sums[type] = (sums[type] ?? 0) + amount;
  return sums;
}
