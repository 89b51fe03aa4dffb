import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Pool } from '../../src/db/connection/pool.ts';
import { storeEvents, type NewEvent } from '../../src/db/events/events.ts';
import { mayHaveNodes, storeOnNodes } from '../../src/db/events/group-on-nodes.ts';
import { aCustomer, aLedger, LIVE, type TestCustomer } from '../support/ledger/billing.ts';
import { nodesOfRun } from '../support/citus/cluster-databases.ts';
import { aNewEvent, byHash, hoursAhead } from '../support/ledger/events.ts';

/** The way of clusters works on one machine too, where the one statement is its oracle. */
describe('events that are stored on nodes', () => {
  let pool: Pool;
  const customers: TestCustomer[] = [];
  before(async () => {
    pool = await aLedger();
    for (let n = 0; n < 3; n++) customers.push(await aCustomer(pool));
    const { key, id } = customers[2]!;
    await pool.query(
      `insert into deleted_customers (environment_id, id, key, deleted_by) values ($1, $2, $3, 'test')`,
      [LIVE, id, key],
    );
  });
  after(() => pool.end());

  const COLUMNS = `idempotency_key, event_name, customer_key, properties, timestamp_given, bucket,
    case when timestamp_given then timestamp end as timestamp, timestamp = created_at as is_of_storing`;
  /** Events and keys of one spelling of the keys, in the order of their ids. */
  const rowsOf = async (prefix: string) => {
    const { rows } = await pool.query<{ idempotency_key: string }>(
      `select ${COLUMNS}, exists (select 1 from event_keys k where k.key_hash = e.key_hash and k.event_id = e.id
         and k.timestamp = e.timestamp and k.created_at = e.created_at) as has_key
       from events e where starts_with(idempotency_key, $1) order by id`,
      [prefix],
    );
    return rows.map((row) => ({ ...row, idempotency_key: row.idempotency_key.slice(prefix.length) }));
  };

  const aSpelling = fc.record({
    key: fc.nat(12),
    customer: fc.constantFrom(0, 0, 0, 1, 2),
    name: fc.constantFrom('call', 'bytes'),
    timestamp: fc.constantFrom(null, null, '2024-01-01T00:00:00.000Z', hoursAhead(25)),
    properties: fc.constantFrom('{}', '{"n": 1}', '{"n": 1.0}', '{"n": "ü"}'),
  });
  type Spelling = typeof aSpelling extends fc.Arbitrary<infer Value> ? Value : never;
  const eventsOf = (prefix: string, spellings: readonly Spelling[]): NewEvent[] => {
    const firsts = spellings.filter(
      ({ key }, at) => spellings.findIndex((other) => other.key === key) === at,
    );
    return firsts
      .map(({ key, customer, name, timestamp, properties }, place) =>
        aNewEvent(customers[customer]!, `${prefix}${key}`, place, {
          event_name: name,
          timestamp,
          properties,
        }),
      )
      .sort(byHash);
  };

  it('have the outcomes and the rows of the one statement, group after group', async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(aSpelling, { minLength: 1, maxLength: 12 }), { maxLength: 4 }),
        async (groups) => {
          run++;
          const prefixes = [`one ${run} `, `nodes ${run} `] as const;
          for (const spellings of groups) {
            const [one, nodes] = [
              await storeEvents(pool, eventsOf(prefixes[0], spellings)),
              await storeOnNodes(pool, eventsOf(prefixes[1], spellings)),
            ].map((outcomes, way) => {
              const events = eventsOf(prefixes[way]!, spellings);
              return new Map(
                events.map(({ place, timestamp }, at) => {
                  const outcome = outcomes[at]!;
                  const is_given = 'timestamp' in outcome && outcome.timestamp === timestamp;
                  return [place, { status: outcome.status, is_given }];
                }),
              );
            });
            assert.deepEqual(nodes, one);
          }
          assert.deepEqual(await rowsOf(prefixes[1]), await rowsOf(prefixes[0]));
        },
      ),
      { numRuns: 100 },
    );
  });

  it('come by COPY where they are many, and are compared where one is known', async () => {
    const many = (changes: Partial<NewEvent> = {}) =>
      Array.from({ length: 120 }, (_, place) =>
        aNewEvent(customers[0]!, `many ${place}`, place, changes),
      ).sort(byHash);
    const statuses = async (events: readonly NewEvent[]) =>
      new Set((await storeOnNodes(pool, events)).map(({ status }) => status));
    assert.deepEqual(await statuses(many()), new Set(['created']));
    assert.deepEqual(await statuses(many()), new Set(['duplicate']));
    assert.deepEqual(await statuses(many({ event_name: 'other' })), new Set(['conflict']));
    assert.equal((await rowsOf('many ')).length, 120);
  });

  it('are stored once by groups that share keys at the same time', async () => {
    const group = () =>
      Array.from({ length: 40 }, (_, place) => aNewEvent(customers[0]!, `shared ${place}`, place)).sort(
        byHash,
      );
    const outcomes = await Promise.all([1, 2, 3, 4].map(() => storeOnNodes(pool, group())));
    const created = outcomes.flat().filter(({ status }) => status === 'created');
    const duplicates = outcomes.flat().filter(({ status }) => status === 'duplicate');
    assert.deepEqual([created.length, duplicates.length], [40, 120]);
  });

  it('are stored so only where there are nodes', async () => {
    assert.equal(await mayHaveNodes(pool), nodesOfRun() > 0);
  });
});
