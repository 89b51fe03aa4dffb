import { Type, type Static } from 'typebox';
import { MIGRATION_STATUSES, OUTCOME_STATUSES } from '../domain/subscription/plan-migration.ts';
import { ErrorDetail } from './error.ts';
import { identity, nullable, oneOf, ResponseDecimal, responseObject, ResponseInstant } from './parts.ts';

/** A move of all subscribers of a plan to another one (contract.md 3). */
export const PlanMigrationObject = responseObject('PlanMigration', {
  ...identity('plan_migration'),
  status: oneOf(MIGRATION_STATUSES, {
    description: '`taken_back`: its changes that are still scheduled go, until `finished_at`.',
  }),
  from_plan_id: Type.String({ description: 'As it was sent: a plan, or the key of all its versions.' }),
  to_plan_id: Type.String({ description: 'The plan, also where a key was sent.' }),
  at: Type.String({ description: 'As it was sent.' }),
  custom: Type.Boolean({
    description: 'Whether custom plans are based anew on the target; else they are skipped.',
  }),
  total: Type.Integer({
    description:
      'The subscriptions that had the plan, or a custom plan based on it, when the migration was created.',
  }),
  changed: Type.Integer(),
  skipped: Type.Integer(),
  failed: Type.Integer(),
  taken_back: Type.Integer(),
  finished_at: nullable({ ...ResponseInstant, description: 'Null while something is left to do.' }),
});
export type PlanMigration = Static<typeof PlanMigrationObject>;

/** The outcome for one subscription. */
export const PlanMigrationOutcome = responseObject('PlanMigrationOutcome', {
  subscription_id: Type.String(),
  customer_id: Type.String(),
  status: oneOf(OUTCOME_STATUSES),
  reason: nullable(
    Type.String({ description: 'Why it was skipped, why it failed, or why its change was not taken back.' }),
  ),
  details: nullable(
    Type.Array(ErrorDetail, { description: 'Those of the error; null unless a billing rule refused it.' }),
  ),
});
export type PlanMigrationOutcome = Static<typeof PlanMigrationOutcome>;

const COMPARED = {
  current: ResponseDecimal,
  proposed: ResponseDecimal,
  difference: ResponseDecimal,
};

const ComparedSubscription = responseObject('PlanMigrationComparison', {
  subscription_id: Type.String(),
  customer_id: Type.String(),
  ...COMPARED,
});

/** A migration that is not stored: both plans compared by the current periods as they stand. */
export const PlanMigrationPreview = responseObject('PlanMigrationPreview', {
  object: Type.Literal('plan_migration_preview'),
  total: Type.Integer({ description: 'The subscriptions that have the plan, or a custom plan based on it.' }),
  ...COMPARED,
  data: Type.Array(ComparedSubscription, {
    description:
      'The 100 newest: what the plan charges for the usage of the current period up to now and for a whole period of its fees. The amounts ' +
      'beside `data` are the sums.',
  }),
  has_more: Type.Boolean(),
});
export type PlanMigrationPreview = Static<typeof PlanMigrationPreview>;
