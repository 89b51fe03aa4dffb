import { SEATS_CHARGE, SEATS_PLAN } from './ids.ts';

const SEATS = { event_name: 'seat', name: 'Seats', pricing_model: 'flat', quantity: 'subscription' };

/** The body of a plan with an amount for each seat. */
export const SEATS_BODY = { name: 'Seats', charges: [{ ...SEATS, flat_amount: '8.00' }] };

/** The plan of the body, by the members of all plans and those of charges that count events. */
export function planOfSeats(common: object, count: object): object {
  return {
    ...common,
    id: SEATS_PLAN,
    name: 'Seats',
    interval: 'month',
    charges: [
      { ...SEATS, id: SEATS_CHARGE, unit_name: null, ...count, flat_amount: '8', billed: 'in_arrears' },
    ],
  };
}
