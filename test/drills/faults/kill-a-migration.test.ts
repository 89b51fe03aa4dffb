import { USUAL_TERMS } from '../../../src/domain/subscription/change-terms.ts';
import assert from 'node:assert/strict';
import { createCustomPlan } from '../../../src/billing/terms/custom-plan.ts';
import { startMigration, takeBackMigration } from '../../../src/billing/terms/plan-migration.ts';
import { transaction, type Pool } from '../../../src/db/connection/pool.ts';
import * as given from '../../support/ledger/billing.ts';
import { startBillingProcess, type BillingProcess, type Job } from './billing-process.ts';
import { everyPlace, nameOf, stopAt } from './places.ts';
import { layWire } from './wire.ts';

const SUBSCRIPTIONS = 2;
/** Migrations that are under way as a process is killed, each at a place of its own. */
const AT_ONCE = 10;

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
    to = await given.aPlan(pool, [{ pricing: { pricing_model: 'per_unit', unit_amount: '2' } }]);
    survivor = startBillingProcess();
  });
  after(async () => {
    await survivor.kill();
    await pool.end();
  });

  const jobOf = (migration_id: string): Job => ({
    ...{ database_url: pool.options.connectionString!, environment_id: given.LIVE, migration_id },
  });

  const OWN = { name: null, minimum_amount: '30', grants: null, metadata: null };
  const aCustomPlan = (customer_id: string): Promise<string> => {
    const overrides = [{ charge: 0, unit_amount: '0.8' }];
    return transaction(pool, (db) =>
      createCustomPlan(db, given.LIVE, { ...OWN, based_on: from, customer_id, overrides }),
    );
  };

  /** A migration of some new subscriptions alone, which no other migration finds again. */
  async function aMigration(custom: boolean): Promise<string> {
    const ids: string[] = [];
    for (let made = 0; made < SUBSCRIPTIONS; made++) {
      const customer = await given.aCustomer(pool);
      await given.aSubscription(pool, customer, custom ? await aCustomPlan(customer.id) : from);
      ids.push(customer.id);
    }
    const request = { from_plan_id: from, to_plan_id: to, at: 'period_end', ...USUAL_TERMS };
    return transaction(pool, (db) =>
      startMigration(db, given.LIVE, { ...request, custom, customer_ids: ids }, 'key_1'),
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

  /** Changes in a migration's outcome, and in the rows; custom plans of its customers that are based on the target. */
  async function outcomeOf(id: string): Promise<object[]> {
    const { rows } = await pool.query(
      `select array[m.changed, m.taken_back] as counts,
         array[count(*) filter (where o.status = 'changed'), count(*) filter (where o.status = 'taken_back')]
           ::integer[] as outcomes,
         count(x.at)::integer as changes,
         (select count(*)::integer from plans p where p.based_on = m.to_plan_id and p.minimum_amount = 30
          and p.customer_id in (
            select s.customer_id from subscriptions s join plan_migration_outcomes c on c.subscription_id = s.id
            where c.migration_id = m.id)) as custom_plans,
         count(p.customer_id)::integer as to_custom_plans
       from plan_migrations m join plan_migration_outcomes o on o.migration_id = m.id
       join subscriptions s on s.id = o.subscription_id
       left join plan_changes x on x.subscription_id = o.subscription_id
       left join plans p on p.id = x.plan_id and p.customer_id = s.customer_id and p.based_on = m.to_plan_id
       where m.id = $1 and m.finished_at is not null group by m.environment_id, m.id`,
      [id],
    );
    return rows;
  }

  for (const custom of [false, true])
    for (const [title, { prepare, counts, changes }] of Object.entries(PASSES))
      it(`${title} each plan once${custom ? ', and bases each custom plan anew once' : ''}`, async () => {
        const prepared = async () => {
          const id = await aMigration(custom);
          await prepare(id);
          return id;
        };
        const whole = {
          ...{ counts, outcomes: counts, changes },
          custom_plans: custom ? SUBSCRIPTIONS : 0,
          to_custom_plans: custom ? changes : 0,
        };
        const undisturbed = await prepared();
        const statements = await statementsOfTurn(undisturbed);
        assert.ok(statements.some((text) => text.includes('update plan_migrations set reached')));
        assert.deepEqual(await outcomeOf(undisturbed), [whole], 'undisturbed');
        const places = everyPlace(statements);
        for (let first = 0; first < places.length; first += AT_ONCE) {
          const killed = places.slice(first, first + AT_ONCE);
          const ids: string[] = [];
          for (let made = 0; made < killed.length; made++) ids.push(await prepared());
          const victim = startBillingProcess();
          const { serving, wires } = await stopAt(killed, ids.map(jobOf), victim);
          await victim.kill();
          await assert.rejects(serving, /ended with SIGKILL/);
          for (const wire of wires) wire.cut();
          await survivor.serve(ids.map(jobOf));
          for (const [at, id] of ids.entries())
            assert.deepEqual(await outcomeOf(id), [whole], nameOf(killed[at]!, statements));
        }
        console.log(`      killed at ${places.length} places of ${statements.length} statements`);
      });

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
