import type { Db } from '../db/connection/pool.ts';
import {
  customerOfMethod,
  findMethod,
  markMethodRemoved,
  setDefaultMethod,
} from '../db/collection/methods.ts';
import { lockCustomer } from '../db/customers/customers.ts';
import { conflict } from '../domain/money/errors.ts';
import type { PaymentMethod } from '../objects/payment-method.ts';

/**
 * Makes a method the default of its customer; null if it does not exist. Throws conflict `invalid_state` of a removed
 * one.
 */
export async function makeDefault(db: Db, environment_id: number, id: string): Promise<PaymentMethod | null> {
  const customer_id = await customerOfMethod(db, environment_id, id);
  if (customer_id === null) return null;
  await lockCustomer(db, environment_id, customer_id);
  if (!(await setDefaultMethod(db, environment_id, { id, customer_id }))) throw removedAlready(id);
  return findMethod(db, environment_id, id);
}

/**
 * Removes a method, here at once and at the provider soon; null if it does not exist. The customer has no default then
 * if it was that one. Throws conflict `invalid_state` of a removed one.
 */
export async function removeMethod(
  db: Db,
  environment_id: number,
  id: string,
): Promise<PaymentMethod | null> {
  const customer_id = await customerOfMethod(db, environment_id, id);
  if (customer_id === null) return null;
  await lockCustomer(db, environment_id, customer_id);
  if (!(await markMethodRemoved(db, environment_id, id))) throw removedAlready(id);
  return findMethod(db, environment_id, id);
}

function removedAlready(id: string) {
  return conflict(null, 'invalid_state', `the payment method ${id} is removed`);
}
