import { isMetered } from '../../../src/domain/pricing/definitions.ts';
import { QUANTITY_KINDS, type ChargeIntention } from './charges.ts';
import { customOn } from './custom-choices.ts';
import { HAS_GRANTS_OF_PLANS, type PlanIntention } from './life.ts';
import type { Plan } from '../model/world.ts';

/**
 * The plan of a customer's nth subscription. Event names differ by subscription, because subscriptions that bill the same event may
 * not overlap.
 */
export function planFor(intention: PlanIntention, place: number): Plan {
  const base = baseFor(intention, place);
  return intention.custom === null ? base : customOn(base, intention.custom);
}

function baseFor({ charges, periods, grants, minimum_amount }: PlanIntention, place: number): Plan {
  const metered = charges.filter(({ pricing }) => isMetered(pricing));
  const counted = charges.filter(({ has_quantity }) => has_quantity);
  const nameOf = (charge: ChargeIntention, nth: number) =>
    charge.has_quantity ? `${QUANTITY_KINDS[counted.indexOf(charge)]}-${place}` : `fee-${place}-${nth}`;
  const named = charges.map((charge, nth) => {
    const { division, pricing } = charge;
    const kind = HAS_GRANTS_OF_PLANS && metered.indexOf(charge) % 2 === 1 ? 'call' : 'use';
    return {
      ...charge,
      ...(division === undefined ? {} : { division: { ...division, parts: [] } }),
      event_name: isMetered(pricing) ? `${kind}-${place}` : nameOf(charge, nth),
    };
  });
  const terms = grants.map(({ kinds, ...grant }) => ({
    ...grant,
    event_names: kinds?.map((kind) => `${kind}-${place}`) ?? null,
  }));
  return { ...periods, charges: named, grants: terms, minimum_amount };
}
