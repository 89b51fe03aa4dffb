import { overriddenCharges, type ChargeTerms } from '../../domain/pricing/override.ts';
import { differencesOf } from '../../domain/pricing/plan-difference.ts';
import type { SentOverride } from '../../domain/pricing/sent-charge.ts';
import type { Db } from '../connection/pool.ts';
import { byCode, codePart, faultIn, sqlPart, type UnitFault } from './invariant.ts';
import { unitParameters, unitsOf, type Unit } from './unit.ts';

type CustomPlan = {
  unit: Unit;
  id: string;
  based_on: string;
  overrides: SentOverride[];
  is_of_custom_plan: boolean;
  has_terms_of_base: boolean;
  has_currency_of_customer: boolean;
  charges: ChargeTerms[];
  charges_of_base: ChargeTerms[];
};

/** Agreement of custom plans with their bases, and with the subscriptions that have them. */
export const CUSTOM_PLAN_INVARIANTS = [
  byCode(
    'I57',
    'A custom plan is its base, which is no custom plan, with its overrides, in the currency of its customer, whose subscriptions alone have it.',
    [
      codePart('customer', async (db, units, { limit }) =>
        (await customPlans(db, units)).flatMap(faultsOf).slice(0, limit),
      ),
      sqlPart('subscription', [
        `select format('subscription %s', s.id) as "row",
         format('has the plan %s, a custom plan of the customer %s', p.id, p.customer_id) as what
       from subscriptions s
       join subscription_plans x on x.environment_id = s.environment_id and x.subscription_id = s.id
       join plans p on p.environment_id = x.environment_id and p.id = x.plan_id and p.customer_id <> s.customer_id
       where s.environment_id = unit.environment_id and s.id = unit.id`,
      ]),
    ],
  ),
];

const TERMS = ['currency', 'interval', 'interval_count', 'pricing_model'];

const CHARGE = ['event_name', 'name', 'unit_name', 'aggregation', 'filters', 'pricing', 'group_by'];

/** SQL: the charges of a plan, in plan order. */
function chargesOf(plan: string): string {
  return `(select coalesce(jsonb_agg(jsonb_build_object(${CHARGE.map((name) => `'${name}', h.${name}`).join(', ')})
      order by h.position), '[]')
    from charges h where h.environment_id = ${plan}.environment_id and h.plan_id = ${plan}.id)`;
}

async function customPlans(db: Db, units: readonly Unit[]): Promise<CustomPlan[]> {
  const { rows } = await db.query<CustomPlan>(
    `with ${unitsOf('customer')}
     select jsonb_build_object('environment_id', unit.environment_id, 'id', unit.id) as unit, p.id, p.based_on,
       p.overrides, b.based_on is not null as is_of_custom_plan,
       (${TERMS.map((name) => `p.${name}`).join(', ')})
         is not distinct from (${TERMS.map((name) => `b.${name}`).join(', ')}) as has_terms_of_base,
       p.currency = c.currency as has_currency_of_customer,
       ${chargesOf('p')} as charges, ${chargesOf('b')} as charges_of_base
     from unit
     join plans p on p.environment_id = unit.environment_id and p.customer_id = unit.id
     join plans b on b.environment_id = p.environment_id and b.id = p.based_on
     join customers c on c.environment_id = p.environment_id and c.id = p.customer_id`,
    unitParameters(units),
  );
  return rows;
}

function faultsOf(plan: CustomPlan): UnitFault[] {
  const { unit, id, based_on, is_of_custom_plan, has_terms_of_base, has_currency_of_customer } = plan;
  return [
    is_of_custom_plan ? `is based on ${based_on}, a custom plan` : null,
    has_terms_of_base ? null : `has another currency, interval or pricing model than ${based_on}`,
    has_currency_of_customer ? null : 'has another currency than its customer',
    faultIn(() => otherCharges(plan)),
  ].flatMap((what) => (what === null ? [] : [{ unit, row: `pricing plan ${id}`, what }]));
}

function otherCharges({ based_on, overrides, charges, charges_of_base }: CustomPlan): string | null {
  const expected = overriddenCharges(charges_of_base, overrides);
  const [difference] = differencesOf(expected, charges, 'charges');
  return difference === undefined ? null : `is not ${based_on} with its overrides at ${difference.field}`;
}
