import { Type } from 'typebox';
import { findAccount } from '../../src/db/account/accounts.ts';
import type { Db } from '../../src/db/connection/pool.ts';
import { dayReader } from '../../src/domain/time/local-time.ts';
import { nullable } from '../../src/objects/parts.ts';

/** The columns that files of what is booked begin with. */
export const BOOKED = {
  day: nullable(Type.String()),
  document_number: nullable(Type.String()),
  customer_name: nullable(Type.String()),
};

/** A sentence about `day` for the reference. */
export const BOOKED_DAY = '`day` is the day on which it was booked, in the time zone of the account.';

/** Reads the time zone of the account, and returns a function that gives the day of an instant there; null for null. */
export async function dayOfAccount(
  db: Db,
  environment_id: number,
): Promise<(instant: string | null) => string | null> {
  const dayOf = dayReader((await findAccount(db, environment_id)).timezone);
  return (instant) => (instant === null ? null : dayOf(instant));
}

/** The values of these columns for a document. */
export function bookedAs(
  {
    number,
    issued_at,
    customer,
  }: { number: string | null; issued_at: string | null; customer: { name: string | null } },
  dayOf: (instant: string | null) => string | null,
) {
  return { day: dayOf(issued_at), document_number: number, customer_name: customer.name };
}
