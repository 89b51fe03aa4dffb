import { CUSTOM_PLAN, PLAN } from './ids.ts';

/** The body of a custom plan with another first tier. */
export const CUSTOM_BODY = {
  based_on: PLAN,
  customer_id: 'acme',
  name: 'API calls for Acme',
  overrides: [
    {
      charge: 0,
      tiers: [
        { up_to: 1000, unit_amount: '0.08' },
        { up_to: null, unit_amount: '0.05', flat_amount: '5.00' },
      ],
    },
  ],
};

/** The custom plan of the body, by its base. */
export function customized({ charges, ...base }: { charges: readonly object[] }): object {
  return {
    ...base,
    id: CUSTOM_PLAN,
    name: 'API calls for Acme',
    charges: [
      {
        ...charges[0],
        id: 'chg_01kdvzps60f259hrnc7m1x4pqz',
        tiers: [
          { up_to: '1000', unit_amount: '0.08', flat_amount: null },
          { up_to: null, unit_amount: '0.05', flat_amount: '5' },
        ],
      },
    ],
    based_on: PLAN,
    customer_id: 'acme',
    overrides: [
      {
        charge: 0,
        tiers: [
          { up_to: '1000', unit_amount: '0.08' },
          { up_to: null, unit_amount: '0.05', flat_amount: '5' },
        ],
      },
    ],
  };
}
