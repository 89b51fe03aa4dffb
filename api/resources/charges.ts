import { type Charge, overlappingCharges } from '../../src/domain/pricing/charge.ts';
import { BillingError, invalid, type ErrorDetail } from '../../src/domain/money/errors.ts';
import type { Pricing, PricingModel } from '../../src/domain/pricing/definitions.ts';
import { countPrices } from '../../src/domain/pricing/price-list.ts';
import {
  chargeFaults,
  chargeFrom,
  faultsAt,
  pricingOfSent,
  type SentCharge,
} from '../../src/domain/pricing/sent-charge.ts';
import { PLAN_PRICES_MAX } from '../../src/domain/pricing/sent-prices.ts';
import { newId } from '../../src/keys/ids.ts';

/**
 * The charges of a new plan, as they are stored; a charge without a model has the plan's. Throws invalid_request with
 * all faults that a schema cannot find: fields of another model, prices that cannot be rated, two charges that bill the
 * same events.
 */
export function chargesOf(
  sent_charges: readonly SentCharge[],
  plan_model: PricingModel | undefined,
): Charge[] {
  const judged = sent_charges.map((charge, index) => judgedCharge(charge, `charges[${index}]`, plan_model));
  const faults = judged.flatMap((charge) => charge.faults);
  if (faults.length > 0) throw new BillingError('invalid_request', faults);
  const charges = judged.flatMap(({ charge }) => charge ?? []);
  const price_count = countPrices(charges);
  if (price_count > PLAN_PRICES_MAX)
    throw invalid(
      'charges',
      'too_many',
      `charges have ${price_count} prices, but may have ${PLAN_PRICES_MAX}`,
    );
  const overlap = overlappingCharges(charges);
  if (overlap !== null) throw new BillingError('invalid_request', [overlapFault(overlap)]);
  return charges;
}

/** A charge at its place, null where it has faults. */
type JudgedCharge = { charge: Charge | null; faults: ErrorDetail[] };

function judgedCharge(sent: SentCharge, place: string, plan_model: PricingModel | undefined): JudgedCharge {
  const model = sent.pricing_model ?? plan_model;
  if (model === undefined) {
    const message = `${place}.pricing_model is missing, and the plan has no pricing_model`;
    return { charge: null, faults: [{ param: 'pricing_model', reason: 'missing', message }] };
  }
  const faults = faultsAt(place, chargeFaults(sent, model));
  return { charge: faults.length > 0 ? null : { id: newId('chg'), ...chargeFrom(sent, model) }, faults };
}

/** The prices of a charge that belongs to no plan, at `param` of a body. Throws invalid_request as chargesOf does. */
export function pricingOfCharge(charge: SentCharge, param: string): Pricing {
  const { pricing_model } = charge;
  if (pricing_model === undefined)
    throw invalid(`${param}.pricing_model`, 'missing', `${param}.pricing_model is missing`);
  const faults = [...listFaults(charge, param), ...faultsAt(param, chargeFaults(charge, pricing_model))];
  if (faults.length > 0) throw new BillingError('invalid_request', faults);
  return pricingOfSent(charge, pricing_model);
}

/** One price is asked for. */
function listFaults({ prices }: SentCharge, param: string): ErrorDetail[] {
  const message = `${param}.prices is not allowed here; send the fields of one price`;
  return prices === undefined ? [] : [{ param: `${param}.prices`, reason: 'not_allowed', message }];
}

function overlapFault([earlier, later]: readonly [number, number]): ErrorDetail {
  const message = `charges[${later}] bills the same events in the same way as charges[${earlier}]`;
  return { param: `charges[${later}]`, reason: 'overlapping_charges', message };
}
