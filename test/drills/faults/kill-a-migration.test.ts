import { USUAL_TERMS } from '../../../src/domain/subscription/change-terms.ts';
import assert from 'node:assert/strict';
import { startMigration, takeBackMigration } from '../../../src/billing/terms/plan-migration.ts';
import { transaction, type Pool } from '../../../src/db/connection/pool.ts';
import * as given from '../../support/ledger/billing.ts';
import { startBillingProcess, type BillingProcess, type Job } from './billing-process.ts';
import { nameOf, stopAt, type Place } from './places.ts';
import { layWire } from './wire.ts';

const SUBSCRIPTIONS = 2;

/** decision 50: a change, its outcome and the place of the migration are one transaction, so that a death loses and repeats none. */
describe('the worker is killed at every statement of a plan migration', function () {
  this.timeout(900_000);
  let pool: Pool;
  let survivor: BillingProcess;
  let from: string;
  let to: string;
  before(async () => {
    pool = await given.aLedger();
    from = await given.aPlan(pool, [{ pricing: given.PER_UNIT }]);
    to = await given.aPlan(pool, [{ pricing: given.PER_UNIT }]);
    survivor = startBillingProcess();
  });
  after(async () => {
    await survivor.kill();
    await pool.end();
  });

  const jobOf = (migration_id: string): Job => ({
    ...{ database_url: pool.options.connectionString!, environment_id: given.LIVE, migration_id },
  });

  /** A migration of some new subscriptions alone, which no other migration finds again. */
  async function aMigration(): Promise<string> {
    const ids: string[] = [];
    for (let made = 0; made < SUBSCRIPTIONS; made++) {
      const customer = await given.aCustomer(pool);
      await given.aSubscription(pool, customer, from);
      ids.push(customer.id);
    }
    const request = { from_plan_id: from, to_plan_id: to, at: 'period_end', ...USUAL_TERMS };
    return transaction(pool, (db) =>
      startMigration(db, given.LIVE, { ...request, custom: false, customer_ids: ids }, 'key_1'),
    );
  }

  const PASSES = {
    changes: { prepare: async () => undefined, counts: [SUBSCRIPTIONS, 0], changes: SUBSCRIPTIONS },
    'takes back': {
      prepare: async (id: string) => {
        await survivor.serve([jobOf(id)]);
        await transaction(pool, (db) => takeBackMigration(db, given.LIVE, id));
      },
      counts: [0, SUBSCRIPTIONS],
      changes: 0,
    },
  };

  for (const [title, { prepare, counts, changes }] of Object.entries(PASSES)) {
    it(`${title} each plan once`, async () => {
      const prepared = async () => {
        const id = await aMigration();
        await prepare(id);
        return id;
      };
      const assertWhole = async (id: string, name: string) => {
        const { rows } = await pool.query<{ counts: number[]; outcomes: number[]; changes: number }>(
          `select array[m.changed, m.taken_back] as counts,
             array[count(*) filter (where o.status = 'changed'), count(*) filter (where o.status = 'taken_back')]
               ::integer[] as outcomes,
             count(x.at)::integer as changes
           from plan_migrations m join plan_migration_outcomes o on o.migration_id = m.id
           left join plan_changes x on x.subscription_id = o.subscription_id
           where m.id = $1 and m.finished_at is not null group by m.changed, m.taken_back`,
          [id],
        );
        assert.deepEqual(rows, [{ counts, outcomes: counts, changes }], name);
      };

      const undisturbed = await prepared();
      const statements = await statementsOfTurn(undisturbed);
      assert.ok(statements.some((text) => text.includes('update plan_migrations set reached')));
      await assertWhole(undisturbed, 'undisturbed');
      let next = startBillingProcess();
      for (const [statement] of statements.entries()) {
        for (const side of ['before', 'after'] as const) {
          const place: Place = { statement, side };
          const victim = next;
          // The process of the next round starts during this round.
          next = startBillingProcess();
          const id = await prepared();
          const { serving, wires } = await stopAt([place], [jobOf(id)], victim);
          await victim.kill();
          await assert.rejects(serving, /ended with SIGKILL/);
          for (const wire of wires) wire.cut();
          await survivor.serve([jobOf(id)]);
          await assertWhole(id, nameOf(place, statements));
        }
      }
      await next.kill();
      console.log(`      killed at ${2 * statements.length} places of ${statements.length} statements`);
    });
  }

  /** The statements of the first turn, from begin to commit. */
  async function statementsOfTurn(id: string): Promise<string[]> {
    let turn: readonly string[] = [];
    const wire = await layWire(pool.options.connectionString!, (said) => {
      if (turn.length === 0 && said[0]!.startsWith('begin') && said.at(-1) === 'commit') turn = [...said];
      return null;
    });
    await survivor.serve([{ ...jobOf(id), database_url: wire.url }]);
    wire.cut();
    return [...turn];
  }
});
