import { Type } from 'typebox';
import { CHARGE_DATES, CHARGE_MODES } from '../../src/domain/collection/schedule.ts';
import { oneOf } from '../../src/objects/parts.ts';

const RETRIES_MAX = 8;
const RETRY_DAY_MAX = 60;

/** How the invoices of a customer are charged. */
export const ChargeMode = oneOf(CHARGE_MODES, {
  description: 'Whether invoices that are issued from now on are charged by themselves.',
});

/** Settings of planned charges in a patch of the account. */
export const CHARGE_SETTINGS = {
  charge_mode: Type.Optional(ChargeMode),
  charge_on: Type.Optional(oneOf(CHARGE_DATES, { description: 'When an invoice is charged first.' })),
  charge_retry_days: Type.Optional(
    Type.Array(Type.Integer({ minimum: 1, maximum: RETRY_DAY_MAX }), {
      maxItems: RETRIES_MAX,
      description: 'Whole days after the first charge on which it is tried again, ascending.',
      examples: [[3, 7, 14]],
    }),
  ),
};
