import { Type } from 'typebox';
import { previewMigration } from '../../src/billing/previews/migration-preview.ts';
import { startMigration, stopRunning, takeBackMigration } from '../../src/billing/terms/plan-migration.ts';
import type { Db } from '../../src/db/connection/pool.ts';
import { listOutcomes } from '../../src/db/subscriptions/plan-migration-outcomes.ts';
import { findMigration, listMigrations } from '../../src/db/subscriptions/plan-migrations.ts';
import type { PlanMigration } from '../../src/objects/plan-migration.ts';
import { changeTerms } from '../../src/domain/subscription/change-terms.ts';
import { OUTCOME_STATUSES } from '../../src/domain/subscription/plan-migration.ts';
import { exactly, oneOf } from '../../src/objects/parts.ts';
import {
  PlanMigrationObject,
  PlanMigrationOutcome,
  PlanMigrationPreview,
} from '../../src/objects/plan-migration.ts';
import type { Caller, Deps } from '../http/deps.ts';
import { notFoundError } from '../http/errors.ts';
import * as examples from '../reference/examples/plan-migrations.ts';
import { listResponse } from '../routing/list.ts';
import { route } from '../routing/route.ts';
import { CHANGE_TERMS, ChangeTime, Identifier, listOf, PAGE, PlanName } from '../schema/schemas.ts';

const TAG = { tag: 'Plan migrations' } as const;
const PATH = '/v1/plan-migrations';
const CUSTOMERS_MAX = 1000;

const create = route({
  ...TAG,
  method: 'post',
  path: PATH,
  operation_id: 'createPlanMigration',
  summary: 'Move the subscribers of a plan to another plan',
  description:
    'Each subscription that has the plan now, or a custom plan based on it, and has not ended, changes as by `/v1/subscriptions/{id}/change`, one after the other. It is ' +
    'skipped where another change is scheduled, or an end at `at` or before it, or, without `custom`, where it has a custom plan. One that is refused has failed, and stops no other.',
  body: exactly({
    from_plan_id: { ...PlanName, description: 'The id of a plan, or a key, which names all versions.' },
    to_plan_id: PlanName,
    at: ChangeTime,
    ...CHANGE_TERMS,
    customer_ids: Type.Optional(
      Type.Array(Identifier, {
        minItems: 1,
        maxItems: CUSTOMERS_MAX,
        description: 'Only subscriptions of these customers. Default: of all.',
      }),
    ),
    custom: Type.Boolean({
      default: false,
      description:
        'Whether custom plans that are based on the plan are based anew on the target, with their overrides. Else their subscriptions are skipped.',
    }),
    dry_run: Type.Boolean({
      default: false,
      description: 'Return what both plans charge for the current periods, and store nothing.',
    }),
  }),
  examples: examples.create,
  refusals: ['not_found', 'conflict'],
  responses: { 200: PlanMigrationPreview, 201: PlanMigrationObject },
  may_take_long: true,
  handle: async ({ deps, db, caller, body: { dry_run, customer_ids = null, ...body } }) => {
    const { environment_id, actor_id } = caller;
    const request = { ...body, ...changeTerms(body), customer_ids };
    if (dry_run)
      return { status: 200, body: await previewMigration(db, environment_id, request, deps.config) };
    const id = await startMigration(db, environment_id, request, actor_id);
    return {
      status: 201,
      body: await migrationOf(db, caller, id),
      headers: { Location: `${PATH}/${id}` },
      after_commit: () => wake(deps, caller, id),
    };
  },
});

const list = route({
  ...TAG,
  method: 'get',
  path: PATH,
  operation_id: 'listPlanMigrations',
  summary: 'Plan migrations, newest first',
  query: exactly(PAGE),
  examples: examples.list,
  responses: { 200: listOf(PlanMigrationObject) },
  handle: (request) =>
    listResponse(request, {
      name: 'plan-migrations',
      filters: {},
      fetch: (page) => listMigrations(request.db, request.caller.environment_id, page),
      show: (migration) => migration,
    }),
});

const read = route({
  ...TAG,
  method: 'get',
  path: `${PATH}/{id}`,
  operation_id: 'getPlanMigration',
  summary: 'Get a plan migration with its progress',
  examples: examples.read,
  responses: { 200: PlanMigrationObject },
  handle: async ({ db, caller, params }) => ({
    status: 200,
    body: await migrationOf(db, caller, params['id']!),
  }),
});

const outcomes = route({
  ...TAG,
  method: 'get',
  path: `${PATH}/{id}/outcomes`,
  operation_id: 'listPlanMigrationOutcomes',
  summary: 'Outcomes of a plan migration, the newest subscription first',
  query: exactly({ status: Type.Optional(oneOf(OUTCOME_STATUSES)), ...PAGE }),
  examples: examples.outcomes,
  responses: { 200: listOf(PlanMigrationOutcome) },
  handle: async (request) => {
    const { db, caller, params, query } = request;
    const { environment_id } = caller;
    const { id: migration_id } = await migrationOf(db, caller, params['id']!);
    const filters = { migration_id, status: query.status ?? null };
    return listResponse(request, {
      name: 'plan-migration-outcomes',
      filters,
      fetch: (page) =>
        listOutcomes(db, { environment_id, migration_id }, { status: filters.status, ...page }),
      show: ({ id: _, ...outcome }) => outcome,
    });
  },
});

const stop = route({
  ...TAG,
  method: 'post',
  path: `${PATH}/{id}/stop`,
  operation_id: 'stopPlanMigration',
  summary: 'Stop a plan migration',
  description:
    'After the response nothing more changes; what is changed stays. To go on, create the same migration again.',
  body: exactly({}),
  body_may_be_absent: true,
  examples: examples.stop,
  responses: { 200: PlanMigrationObject },
  handle: async ({ db, caller, params }) => {
    const { id } = await migrationOf(db, caller, params['id']!);
    await stopRunning(db, caller.environment_id, id);
    return { status: 200, body: await migrationOf(db, caller, id) };
  },
});

const take_back = route({
  ...TAG,
  method: 'post',
  path: `${PATH}/{id}/take-back`,
  operation_id: 'takeBackPlanMigration',
  summary: 'Take back the changes of a plan migration that are still scheduled',
  description:
    'Stops the migration, at any time. `taken_back` counts what is taken back, until `finished_at`. A change that has come stays, as does one ' +
    'that another change has replaced.',
  body: exactly({}),
  body_may_be_absent: true,
  examples: examples.takeBack,
  responses: { 200: PlanMigrationObject },
  handle: async ({ deps, db, caller, params }) => {
    const { id } = await migrationOf(db, caller, params['id']!);
    await takeBackMigration(db, caller.environment_id, id);
    return {
      status: 200,
      body: await migrationOf(db, caller, id),
      after_commit: () => wake(deps, caller, id),
    };
  },
});

async function migrationOf(db: Db, { environment_id }: Caller, id: string): Promise<PlanMigration> {
  const migration = await findMigration(db, environment_id, id);
  if (migration === null) throw notFoundError();
  return migration;
}

function wake(deps: Deps, { environment_id }: Caller, migration_id: string): void {
  void deps.wakeMigrations([{ environment_id, migration_id }]);
}

export const planMigrationRoutes = [create, list, read, outcomes, stop, take_back];
