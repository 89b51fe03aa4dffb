import type { Charge } from '../../domain/pricing/charge.ts';
import { isInAdvance } from '../../domain/invoice/fee.ts';
import { pricingOf } from '../../domain/pricing/definitions.ts';
import { isPriceList, type ListedPrice } from '../../domain/pricing/price-list.ts';
import type { PlanGrant } from '../../domain/credit/plan-grant.ts';
import type { Plan, ShownPrice } from '../../objects/plan.ts';
import type { Db } from '../connection/pool.ts';

type ShownGrant = Plan['grants'][number];
type ShownCharge = Plan['charges'][number];

/** A plan as it is stored. `customer_id` is our `cus_` id. */
export type NewPlan = Omit<
  Plan,
  'object' | 'livemode' | 'created_at' | 'archived_at' | 'charges' | 'grants'
> & {
  charges: readonly Charge[];
  grants: readonly PlanGrant[];
};

/** Members of a custom plan alone (billing.md 12), as a plan of everybody has them. */
export const NOT_CUSTOM = { based_on: null, customer_id: null, overrides: null };

type PlanRow = Omit<Plan, 'charges' | 'grants'> & { grants: PlanGrant[] };

const SELECT_PLANS = `
  select p.id, 'pricing_plan' as object, n.livemode, p.created_at, p.key, p.version, p.archived_at, p.name, p.currency,
    p.interval, p.interval_count, p.pricing_model, p.minimum_amount::text as minimum_amount, p.grants, p.metadata,
    p.based_on, c.external_id as customer_id, p.overrides
  from plans p join environments n on n.id = p.environment_id
  left join customers c on c.environment_id = p.environment_id and c.id = p.customer_id`;

/** Stores a plan with its charges, in the given order. */
export async function insertPlan(db: Db, environment_id: number, plan: NewPlan): Promise<void> {
  await db.query(
    `insert into plans (environment_id, id, key, version, name, currency, interval, interval_count, pricing_model,
       metadata, grants, opens_periods, minimum_amount, based_on, customer_id, overrides, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16,
       date_trunc('milliseconds', now()))`,
    [
      environment_id,
      plan.id,
      plan.key,
      plan.version,
      plan.name,
      plan.currency,
      plan.interval,
      plan.interval_count,
      plan.pricing_model,
      JSON.stringify(plan.metadata),
      JSON.stringify(plan.grants),
      plan.charges.some(isInAdvance) || plan.grants.length > 0,
      plan.minimum_amount,
      plan.based_on,
      plan.customer_id,
      plan.overrides === null ? null : JSON.stringify(plan.overrides),
    ],
  );
  await db.query(
    `insert into charges (environment_id, plan_id, position, id, event_name, name, unit_name, aggregation, filters,
       pricing, group_by)
     select $1, $2, c.position, c.charge ->> 'id', c.charge ->> 'event_name', c.charge ->> 'name',
       c.charge ->> 'unit_name', c.charge -> 'aggregation', nullif(c.charge -> 'filters', 'null'),
       c.charge -> 'pricing', nullif(c.charge -> 'group_by', 'null')
     from jsonb_array_elements($3) with ordinality as c(charge, position)`,
    [environment_id, plan.id, JSON.stringify(plan.charges)],
  );
}

/**
 * The id of a custom plan of the customer that is equal in base, overrides, name, minimum, grants and metadata, and not
 * archived; null if there is none.
 */
export async function findEqualCustomPlan(
  db: Db,
  environment_id: number,
  { based_on, customer_id, overrides, name, minimum_amount, grants, metadata }: Omit<NewPlan, 'id'>,
): Promise<string | null> {
  const { rows } = await db.query<{ id: string }>(
    `select id from plans
     where environment_id = $1 and customer_id = $2 and based_on = $3 and overrides = $4 and name = $5
       and grants = $6 and metadata = $7 and minimum_amount is not distinct from $8 and archived_at is null
     order by id limit 1`,
    [
      environment_id,
      customer_id,
      based_on,
      JSON.stringify(overrides),
      name,
      JSON.stringify(grants),
      JSON.stringify(metadata),
      minimum_amount,
    ],
  );
  return rows[0]?.id ?? null;
}

/** The plans with these ids and their charges, in any order. */
export async function readPlans(db: Db, environment_id: number, ids: readonly string[]): Promise<Plan[]> {
  const { rows } = await db.query<PlanRow>(`${SELECT_PLANS} where p.environment_id = $1 and p.id = any($2)`, [
    environment_id,
    ids,
  ]);
  return withCharges(db, environment_id, rows);
}

/** The plan, with its charges, that an id names, or a key, which names its newest version; null if there is none. */
export async function findPlan(db: Db, environment_id: number, name: string): Promise<Plan | null> {
  const { rows } = await db.query<PlanRow>(
    `${SELECT_PLANS} where p.environment_id = $1 and (p.id = $2 or p.key = $2) order by p.version desc limit 1`,
    [environment_id, name],
  );
  return (await withCharges(db, environment_id, rows))[0] ?? null;
}

/** The grants that each full period of a plan has, in the order of its list. */
export async function grantsOfPlan(db: Db, environment_id: number, id: string): Promise<PlanGrant[]> {
  const { rows } = await db.query<Pick<PlanRow, 'grants'>>(
    'select grants from plans where environment_id = $1 and id = $2',
    [environment_id, id],
  );
  return rows[0]!.grants;
}

/**
 * `key`: the versions of one key. `customer_id`: the custom plans of this customer, by either id; null: none of them.
 * `is_archived`: true for archived plans alone, false for the others, null for all.
 */
export type PlanFilter = { key: string | null; customer_id: string | null; is_archived: boolean | null };

/** SQL: the plan `p` is a custom plan of a customer, a parameter; without one it is no custom plan. */
export function listedFor(customer_id: string | null, parameter: string): string {
  return customer_id === null
    ? `${parameter}::text is null and p.customer_id is null`
    : `p.customer_id = (
         select k.id from customers k
         where k.environment_id = $1 and (k.external_id = ${parameter} or k.id = ${parameter}))`;
}

/** Plans with their charges, newest first. */
export async function listPlans(
  db: Db,
  environment_id: number,
  { key, customer_id, is_archived, before, limit }: PlanFilter & { before: string | null; limit: number },
): Promise<Plan[]> {
  const { rows } = await db.query<PlanRow>(
    `${SELECT_PLANS} where p.environment_id = $1 and ($2::text is null or p.id < $2)
       and ($3::text is null or p.key = $3) and ($4::boolean is null or (p.archived_at is not null) = $4)
       and ${listedFor(customer_id, '$6')}
     order by p.id desc limit $5`,
    [environment_id, before, key, is_archived, limit, customer_id],
  );
  return withCharges(db, environment_id, rows);
}

async function withCharges(db: Db, environment_id: number, plans: readonly PlanRow[]): Promise<Plan[]> {
  const { rows } = await db.query<Charge & { plan_id: string }>(
    `select plan_id, id, event_name, name, unit_name, aggregation, filters, pricing, group_by from charges
     where environment_id = $1 and plan_id = any($2) order by plan_id, position`,
    [environment_id, plans.map(({ id }) => id)],
  );
  return plans.map((plan) => ({
    ...plan,
    charges: rows.filter(({ plan_id }) => plan_id === plan.id).map(shownCharge),
    grants: plan.grants.map(shownGrant),
  }));
}

/** A grant of a plan as the API shows it. */
export function shownGrant({ amount, carry_over_max, ...grant }: PlanGrant | ShownGrant): ShownGrant {
  return {
    ...grant,
    amount: Number(amount),
    carry_over_max: carry_over_max === null ? null : Number(carry_over_max),
  };
}

/** A charge as the API shows it. */
export function shownCharge(charge: Charge): ShownCharge {
  const { id, event_name, name, unit_name, aggregation, filters, pricing, group_by } = charge;
  const selection = { id, event_name, name, unit_name, aggregation, filters };
  const prices = isPriceList(pricing) ? pricing.prices.map(shownPrice) : null;
  // In the order of the model's fields, which jsonb does not keep.
  const shown_pricing = isPriceList(pricing) ? pricing : pricingOf(pricing.pricing_model, pricing);
  return { ...selection, ...shown_pricing, prices, group_by };
}

function shownPrice(price: ListedPrice): ShownPrice {
  return { ...price, match: price.match ?? null, default: price.default ?? false };
}
