import assert from 'node:assert/strict';
import { aggregateUsage } from '../../../src/billing/close/draft.ts';
import type { Invoice } from '../../../src/objects/invoice.ts';
import { transaction } from '../../../src/db/connection/pool.ts';
import { startApi, type Json, type TestApi } from '../../support/servers/api.ts';
import * as given from '../../support/ledger/billing.ts';
import { assertRefused } from '../../support/ledger/refused.ts';

const PER_UNIT = { pricing_model: 'per_unit', unit_amount: '1' } as const;
const FLAT = { pricing_model: 'flat', flat_amount: '5' } as const;
const at = (day: number) => `2026-01-${String(day).padStart(2, '0')}T00:00:00.000Z`;
/** An event identified by `place`. */
const event = (place: number, day: number, parts: object = {}) => ({
  timestamp: at(day),
  properties: { place, ...parts },
});

describe('GET /v1/invoices/{id}/line-items/{line_item_id}/events', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi();
  });
  after(() => api.close());

  async function subscribed(...charges: given.TestCharge[]) {
    const customer = await given.aCustomer(api.pool);
    const plan = await given.aPlan(api.pool, charges);
    return { customer, step: given.stepOf(await given.aSubscription(api.pool, customer, plan)) };
  }

  const pathOf = (invoice: Invoice, line = 0) =>
    `/v1/invoices/${invoice.id}/line-items/${invoice.line_items[line]!.id}/events`;
  const request = (path: string) => api.request(path, { key: api.live_key });
  const placesOf = (body: Json): number[] => body.data.map(({ properties }: Json) => properties.place);
  const places = async (path: string) => placesOf((await request(path)).body);

  it('lists the counted events, and none of other customers, names or times, or stored after the cut-off', async () => {
    const { customer, step } = await subscribed({ pricing: PER_UNIT });
    await given.post(api.pool, customer, [
      event(1, 1),
      { ...event(2, 2), event_name: 'other' },
      { ...event(3, 3), timestamp: '2025-12-31T23:59:59.999Z' },
      { ...event(4, 3), timestamp: '2026-01-31T23:59:59.999Z' },
      { ...event(5, 3), timestamp: '2026-02-01T00:00:00.000Z' },
    ]);
    await given.post(api.pool, await given.aCustomer(api.pool), [event(6, 6)]);
    const invoice = await given.bill(api.pool, step);
    await given.post(api.pool, customer, [event(7, 7)]);
    const { body } = await request(pathOf(invoice));
    assert.deepEqual(placesOf(body), [4, 1]);
    assert.deepEqual([body.object, body.has_more, body.next_cursor], ['list', false, null]);
    assert.equal(invoice.line_items[0]!.quantity, '2');
    const { billing, ...single } = (await request(`/v1/events/${body.data[0].id}`)).body;
    assert.deepEqual(body.data[0], single);
    assert.equal(billing[0].line_item_id, invoice.line_items[0]!.id);
  });

  const MIXED = [
    event(1, 1, { n: 2, region: 'eu' }),
    event(2, 2, { n: 'many', region: 'eu' }),
    event(3, 3, { region: 'eu' }),
    event(4, 4, { n: '3.5', region: 'us' }),
    event(5, 5, { n: null, region: 'eu' }),
    event(6, 6, { n: true, region: null }),
  ];
  const LINES: [charge: Omit<given.TestCharge, 'pricing'>, held: number[], why: string][] = [
    [{}, [6, 5, 4, 3, 2, 1], 'a count includes every event'],
    [{ aggregation: { type: 'sum', property: 'n' } }, [4, 1], 'events with a number'],
    [{ aggregation: { type: 'max', property: 'n' } }, [4, 1], 'events with a number'],
    [
      { aggregation: { type: 'latest', property: 'n' } },
      [4, 1],
      'all events with a number, not only the last one',
    ],
    [
      { aggregation: { type: 'unique', property: 'n' } },
      [6, 4, 2, 1],
      'events with text, a number or a boolean',
    ],
    [{ filters: { region: ['eu'] } }, [5, 3, 2, 1], 'events that match the filters'],
    [
      { filters: { region: ['eu'] }, aggregation: { type: 'sum', property: 'n' } },
      [1],
      'events with a number that match the filters',
    ],
  ];
  for (const [charge, held, why] of LINES)
    it(`${JSON.stringify(charge)}: ${why}`, async () => {
      const { customer, step } = await subscribed({ pricing: PER_UNIT, ...charge });
      await given.post(api.pool, customer, MIXED);
      assert.deepEqual(await places(pathOf(await given.bill(api.pool, step))), held);
    });

  it('of a flat line is empty', async () => {
    const { customer, step } = await subscribed({ pricing: FLAT }, { pricing: PER_UNIT });
    await given.post(api.pool, customer, [event(1, 1)]);
    const invoice = await given.bill(api.pool, step);
    assert.deepEqual(await places(pathOf(invoice, 0)), []);
    assert.deepEqual(await places(pathOf(invoice, 1)), [1]);
  });

  it('is the same for a draft, an open and a void invoice', async () => {
    const { customer, step } = await subscribed({ pricing: PER_UNIT });
    await given.post(api.pool, customer, [event(1, 1), event(2, 2)]);
    await transaction(api.pool, (db) => aggregateUsage(db, step, given.NO_GRACE));
    const draft = await given.invoiceOf(api.pool, step);
    await given.post(api.pool, customer, [event(3, 3)]);
    assert.deepEqual(await places(pathOf(draft)), [2, 1]);
    const invoice = await given.bill(api.pool, step);
    assert.deepEqual(await places(pathOf(invoice)), [2, 1]);
    await api.pool.query(`update invoices set status = 'void' where id = $1`, [invoice.id]);
    assert.deepEqual(await places(pathOf(invoice)), [2, 1]);
  });

  it('lists the events of every span of a late line: between its cut-offs, within its times of storing', async () => {
    const { customer, step } = await subscribed({ pricing: PER_UNIT });
    await given.post(api.pool, customer, [event(1, 1)]);
    const { id: invoice_id, line_items } = await given.bill(api.pool, step);
    await given.post(api.pool, customer, [event(2, 2), event(3, 3), event(4, 4), event(5, 20), event(6, 21)]);
    // Event 2 is stored before the lower bound, 3 at it, 4 a millisecond before the upper bound, 5 after it.
    await storedAt({ 2: '2026-03-06', 3: '2026-03-07', 4: '2026-03-08T23:59:59.999Z', 5: '2026-04-01' });
    await api.pool.query(
      `with later as (
         insert into cut_offs (environment_id, subscription_id, epoch, snapshot)
         select 2, $2, max(epoch), pg_current_snapshot() from epochs returning id
       ), line as (
         insert into line_items select (jsonb_populate_record(l, '{"id": "li_late", "type": "late_usage", "position": 1,
           "full_period_start": "2025-12-01T00:00:00Z"}')).* from line_items l where l.id = $1 returning id
       )
       insert into line_item_spans (environment_id, line_item_id, position, after_cut_off_id, up_to_cut_off_id, timestamp_from,
         timestamp_to, stored_from, stored_to)
       select 2, line.id, span.position, first.up_to_cut_off_id, later.id, span.from, span.to, span.stored_from, span.stored_to
       from line, later, (select up_to_cut_off_id from line_item_spans where line_item_id = $1) as first,
         (values (0, '2026-01-01'::timestamptz, '2026-01-10'::timestamptz, '2026-03-07'::timestamptz, '2026-03-09'::timestamptz),
           (1, '2026-01-20', '2026-01-21', null, null)) as span(position, "from", "to", stored_from, stored_to)`,
      [line_items[0]!.id, step.subscription_id],
    );
    assert.deepEqual(await places(`/v1/invoices/${invoice_id}/line-items/li_late/events`), [5, 4, 3]);
    assert.deepEqual(await places(`/v1/invoices/${invoice_id}/line-items/${line_items[0]!.id}/events`), [1]);
  });

  const storedAt = async (times: Record<number, string>) => {
    for (const [place, created_at] of Object.entries(times))
      await api.pool.query(`update events set created_at = $2 where properties ->> 'place' = $1`, [
        place,
        created_at,
      ]);
  };

  it('lists each event once, newest first, ties newest stored first', async () => {
    const { customer, step } = await subscribed(
      { pricing: PER_UNIT, filters: { even: [true] } },
      { pricing: PER_UNIT },
    );
    // Three events per day.
    const sent = Array.from({ length: 30 }, (_, place) =>
      event(place, 1 + Math.floor(place / 3), { even: place % 2 === 0 }),
    );
    await given.post(api.pool, customer, sent);
    const invoice = await given.bill(api.pool, step);
    const newest = sent.map((_, place) => place).reverse();
    for (const limit of [1, 4, 7, 15, 30]) {
      const walk = async (line: number) => {
        const seen: number[] = [];
        for (let cursor: string | null = ''; cursor !== null;) {
          const page = cursor === '' ? '' : `&cursor=${cursor}`;
          const { body } = await request(`${pathOf(invoice, line)}?limit=${limit}${page}`);
          seen.push(...placesOf(body));
          cursor = body.next_cursor;
        }
        return seen;
      };
      assert.deepEqual(
        await walk(0),
        newest.filter((place) => place % 2 === 0),
      );
      assert.deepEqual(await walk(1), newest);
    }
    const { body } = await request(`${pathOf(invoice, 0)}?limit=1`);
    const elsewhere = await request(`${pathOf(invoice, 1)}?cursor=${body.next_cursor}`);
    assertRefused(elsewhere, { code: 'invalid_request', param: 'cursor', reason: 'bad_cursor' });
  });

  it('gives the same 404 for a line that is unknown, of another invoice or of another environment', async () => {
    const bills = [];
    for (const _ of [1, 2])
      bills.push(await given.bill(api.pool, (await subscribed({ pricing: PER_UNIT })).step));
    const [ours, theirs] = bills as [Invoice, Invoice];
    const crossed = `/v1/invoices/${ours.id}/line-items/${theirs.line_items[0]!.id}/events`;
    for (const path of [
      crossed,
      pathOf(ours).replace(ours.id, 'inv_x'),
      `/v1/invoices/${ours.id}/line-items/li_x/events`,
      `/v1/invoices/${ours.id}/line-items/__proto__/events`,
      `/v1/invoices/${ours.id}/line-items/${ours.id}/events`,
    ])
      assertRefused(await request(path), { code: 'not_found', param: null });
    for (const key of [api.test_key, api.other_key])
      assertRefused(await api.request(pathOf(ours), { key }), { code: 'not_found', param: null });
  });
});
