import { setImmediate } from 'node:timers/promises';
import { Type, type Static } from 'typebox';
import { price } from '../../src/domain/pricing/pricing.ts';
import { NewCharge } from '../resources/charge-schema.ts';
import { pricingOfCharge } from '../resources/charges.ts';
import { PricedTier } from '../../src/objects/invoice.ts';
import { route } from '../routing/route.ts';
import { Currency, decimalText } from '../schema/schemas.ts';
import { ResponseDecimal, responseObject, exactly, nullable } from '../../src/objects/parts.ts';

const QUANTITIES_MAX = 200;
const Quantity = decimalText(
  { whole_max: 15, scale_max: 15, low: '0' },
  'Not below 0, with up to 15 decimals.',
);
const WHOLE_PERIOD = { numerator: '1', denominator: '1' };

const Price = responseObject('Price', {
  quantity: ResponseDecimal,
  billable_quantity: ResponseDecimal,
  amount: ResponseDecimal,
  tiers: nullable(Type.Array(PricedTier)),
});

const read = route({
  method: 'post',
  path: '/dashboard/api/prices',
  operation_id: 'listPrices',
  tag: 'Dashboard',
  session_only: true,
  transaction: false,
  summary: 'Calculate the price of quantities by a charge, for a whole period and without credit',
  body: exactly({
    charge: NewCharge,
    currency: Currency,
    quantities: Type.Array(Quantity, { minItems: 1, maxItems: QUANTITIES_MAX }),
  }),
  responses: { 200: responseObject('Prices', { object: Type.Literal('list'), data: Type.Array(Price) }) },
  handle: async ({ body }) => {
    const pricing = pricingOfCharge(body.charge, 'charge');
    const data: Static<typeof Price>[] = [];
    for (const quantity of body.quantities) {
      const usage = { quantity, credit: '0', fraction: WHOLE_PERIOD, percents: [] };
      const { billable_quantity, amount, tiers } = price(pricing, usage, body.currency);
      data.push({ quantity, billable_quantity, amount, tiers });
      // A thousand tiers take tens of milliseconds: others are answered between two quantities.
      await setImmediate();
    }
    return { status: 200, body: { object: 'list', data } };
  },
});

export const priceRoutes = [read];
