export const FLAT_CENTS = 1000;
export const FIRST_TIER = { requests: 10, cents: 30 };
export const NEXT_TIER_CENTS = 10;
export const GIGABYTE_CENTS = 5;

/** A day of a flat amount, tiers and units, at the prices above. */
export const PLAN = {
  name: 'A day of requests and traffic',
  interval: 'day',
  charges: [
    { event_name: 'seat', pricing_model: 'flat', flat_amount: '10.00' },
    {
      event_name: 'request',
      pricing_model: 'graduated',
      tiers: [
        { up_to: `${FIRST_TIER.requests}`, unit_amount: '0.30' },
        { up_to: null, unit_amount: '0.10' },
      ],
    },
    {
      event_name: 'transfer',
      pricing_model: 'per_unit',
      unit_amount: '0.05',
      aggregation: { type: 'sum', property: 'gigabytes' },
    },
  ],
};
