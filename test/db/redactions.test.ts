import assert from 'node:assert/strict';
import { redactEvents } from '../../worker/redactions.ts';
import { withoutRedaction } from '../../src/db/events/redaction-turn.ts';
import { redactCustomer } from '../../src/billing/customers/redact.ts';
import { compareBatch, storeBatch, type NewEvent } from '../../src/db/events/events.ts';
import { makePartitions } from '../../src/db/events/partitions.ts';
import { findCustomer } from '../../src/db/customers/customers.ts';
import { readOnly, transaction, type Pool } from '../../src/db/connection/pool.ts';
import { rollUp } from '../../src/db/reports/roll-up.ts';
import * as given from '../support/ledger/billing.ts';
import { aNewEvent, byHash } from '../support/ledger/events.ts';
import { aCharge } from '../support/ledger/plans.ts';
import { redactAllEvents } from '../support/ledger/redactions.ts';
import { breachesOf } from '../support/ledger/sound.ts';
import { dailyUsageOf } from '../support/ledger/usage.ts';

const LIMIT = 500;
const SENT = { n: 1, email: 'ada@example.org', nested: { email: 'b@example.org' } };
const KEPT = { n: 1, nested: { email: 'b@example.org' } };

describe('the redaction of events', () => {
  let pool: Pool;
  let customer: given.TestCustomer;
  let made = 0;
  before(async () => {
    pool = await given.aLedger();
    const sum = { pricing: given.PER_UNIT, aggregation: { type: 'sum', property: 'n' } } as const;
    await given.aPlan(pool, [sum]);
  });
  beforeEach(async () => void (customer = await given.aCustomer(pool)));
  afterEach(async () => assert.deepEqual(await readOnly(pool, (db) => breachesOf(db)), []));
  after(() => pool.end());

  const some = (count: number, changes: Partial<NewEvent> = {}): NewEvent[] => {
    const name = `event ${++made}`;
    const properties = JSON.stringify(SENT);
    return Array.from({ length: count }, (_, n) =>
      aNewEvent(customer, `${name} ${n}`, n, { properties, ...changes }),
    ).sort(byHash);
  };
  const redact = (...properties: string[]) =>
    transaction(pool, (db) => redactCustomer(db, given.LIVE, { id: customer.id, properties, by: 'key' }));
  /** Runs the sweep until nothing is pending. */
  const finish = (limit = LIMIT) => redactAllEvents(pool, limit);
  const stateOf = async () => (await findCustomer(pool, given.LIVE, customer.id))!.redaction?.events;
  const rolledUp = async () => {
    while (await rollUp(pool));
  };
  const stored = async (of = customer) =>
    (
      await pool.query<{ properties: object; bucket: number }>(
        'select properties, bucket from events where customer_key = $1 order by timestamp, id',
        [of.key],
      )
    ).rows;
  const propertiesOf = async (of = customer) => (await stored(of)).map(({ properties }) => properties);

  it('rests while events move between servers', async () => {
    await storeBatch(pool, some(3));
    await redact('email');
    await withoutRedaction(pool, async () => {
      assert.equal(await redactEvents(pool, LIMIT), 0);
      assert.equal(await stateOf(), 'pending');
    });
    await finish();
    assert.equal(await stateOf(), 'done');
  });

  it('removes the named properties and no others, in bucket 0 and in a month, from the events of that customer', async () => {
    const other = await given.aCustomer(pool);
    await storeBatch(pool, [aNewEvent(other, `other ${++made}`, 0, { properties: JSON.stringify(SENT) })]);
    const early = some(2);
    await storeBatch(pool, early);
    await makePartitions(pool);
    const later = some(2);
    await storeBatch(pool, later);
    const buckets = new Set((await stored()).map(({ bucket }) => bucket));
    assert.equal(buckets.size, 2);
    await redact('email', 'no event has it');
    assert.equal(await stateOf(), 'pending');
    assert.deepEqual(await propertiesOf(), Array(4).fill(SENT));
    await finish();
    assert.equal(await stateOf(), 'done');
    assert.deepEqual(await propertiesOf(), Array(4).fill(KEPT));
    assert.deepEqual(await propertiesOf(other), [SENT]);
  });

  it('leaves what ingest says of a resend as it was', async () => {
    const [sent] = some(1) as [NewEvent];
    await storeBatch(pool, [sent]);
    await redact('email');
    await finish();
    assert.deepEqual(await storeBatch(pool, [sent]), ['duplicate']);
    const blanked = { ...sent, properties: JSON.stringify(KEPT) };
    assert.deepEqual(await compareBatch(pool, [blanked]), ['conflict']);
    assert.deepEqual(await propertiesOf(), [KEPT]);
  });

  it('stopped after a slice, or in the middle of one, goes on where it was', async () => {
    await storeBatch(pool, some(5));
    await redact('email');
    assert.equal(await redactEvents(pool, 2), 2);
    assert.deepEqual(await propertiesOf(), [KEPT, KEPT, SENT, SENT, SENT]);
    // No key can be changed: the slice fails after it has changed its events, and is rolled back as a whole.
    await pool.query(
      `create function refuse_change() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$;
       create trigger refused before update on event_keys for each row execute function refuse_change()`,
    );
    await assert.rejects(redactEvents(pool, 2), /refused/);
    assert.deepEqual(await propertiesOf(), [KEPT, KEPT, SENT, SENT, SENT]);
    assert.equal(await stateOf(), 'pending');
    await pool.query('drop trigger refused on event_keys; drop function refuse_change()');
    await finish(2);
    assert.deepEqual(await propertiesOf(), Array(5).fill(KEPT));
    assert.equal(await stateOf(), 'done');
  });

  it('by two workers at once changes each event once', async () => {
    await storeBatch(pool, some(9));
    const others = await Promise.all(Array.from({ length: 2 }, () => given.aCustomer(pool)));
    await redact('email');
    for (const other of others) {
      await storeBatch(pool, [aNewEvent(other, `other ${++made}`, 0, { properties: JSON.stringify(SENT) })]);
      const redaction = { id: other.id, properties: ['email'], by: 'key' };
      await transaction(pool, (db) => redactCustomer(db, given.LIVE, redaction));
    }
    const work = async () => {
      for (let turn = 0; turn < 10; turn++) await redactEvents(pool, 2);
    };
    await Promise.all([work(), work(), work()]);
    await finish();
    assert.deepEqual(await propertiesOf(), Array(9).fill(KEPT));
    for (const other of others) assert.deepEqual(await propertiesOf(other), [KEPT]);
  });

  it('leaves events that are stored after the call, until it is repeated', async () => {
    await storeBatch(pool, some(2));
    await redact('email');
    await storeBatch(pool, some(1, { timestamp: '2026-01-01T00:00:00.000Z' }));
    await storeBatch(pool, some(1));
    await finish();
    assert.deepEqual(await propertiesOf(), [SENT, KEPT, KEPT, SENT]);
    await redact('email');
    await finish();
    assert.deepEqual(await propertiesOf(), Array(4).fill(KEPT));
  });

  it('waits for events that were being stored during the call', async () => {
    const client = await pool.connect();
    await client.query('begin');
    await storeBatch(client, some(1));
    await redact('email');
    assert.equal(await redactEvents(pool, LIMIT), 0);
    assert.equal(await stateOf(), 'pending');
    await client.query('commit');
    client.release();
    await finish();
    assert.deepEqual(await propertiesOf(), [KEPT]);
    assert.equal(await stateOf(), 'done');
  });

  it('is called with a later name: each call removes what it names', async () => {
    await storeBatch(pool, some(2));
    await redact('email');
    await redact('nested');
    await finish();
    assert.deepEqual(await propertiesOf(), Array(2).fill({ n: 1 }));
    const { redaction } = (await findCustomer(pool, given.LIVE, customer.id))!;
    assert.deepEqual(redaction?.properties, ['email', 'nested']);
  });

  describe('of a property that a plan of other customers adds up', () => {
    const CHARGE = { ...aCharge(), aggregation: { type: 'sum', property: 'n' } } as const;
    const totals = async () => {
      const charge = { ...CHARGE, event_name: 'api_call' };
      const query = { customer_key: customer.key, charges: [charge] };
      const range = { from: '2026-01-01T00:00:00.000Z', to: '2026-02-01T00:00:00.000Z' };
      const usage = await dailyUsageOf(pool, { ...query, ...range });
      return usage!.get(charge.id)!.days.map((day) => day.totals);
    };
    const ON_DAY = { timestamp: '2026-01-05T00:00:00.000Z' };

    it('leaves no total of it by the values of another property', async () => {
      await pool.query(
        `insert into usage_dimensions (environment_id, customer_key, event_name, property) values ($1, $2, 'api_call', 'region')`,
        [given.LIVE, customer.key],
      );
      const cells = async () =>
        (
          await pool.query<{ property: string; events: string }>(
            'select property, events from usage_cells where customer_key = $1 order by property',
            [customer.key],
          )
        ).rows;
      await storeBatch(pool, some(4, ON_DAY));
      await rolledUp();
      const counted = { property: '', events: '4' };
      assert.deepEqual(await cells(), [counted, { property: 'n', events: '4' }]);
      await redact('n');
      await finish();
      assert.deepEqual(await cells(), [counted]);
    });

    for (const is_early of [true, false])
      it(`leaves no total of it, where the rollup comes ${is_early ? 'before' : 'between two slices'}`, async () => {
        await storeBatch(pool, some(4, ON_DAY));
        if (is_early) {
          await rolledUp();
          assert.equal((await totals())[0]?.[0]?.total, '4');
        }
        await redact('n');
        await redactEvents(pool, 2);
        await rolledUp();
        await finish(2);
        assert.deepEqual(await totals(), [null]);
        // Events of the same day that come later are not all events of the day.
        await storeBatch(pool, some(1, ON_DAY));
        await rolledUp();
        assert.deepEqual(await totals(), [null]);
        const { n, ...rest } = SENT;
        assert.deepEqual(await propertiesOf(), [...Array(4).fill(rest), SENT]);
        assert.equal(n, 1);
      });
  });
});
