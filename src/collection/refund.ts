import { transaction, type Act, type Db } from '../db/connection/pool.ts';
import {
  findChargedPayment,
  standingPayments,
  type ChargedPayment,
} from '../db/collection/charged-payments.ts';
import { findRefundByKey, insertRefund, knownRefunds, type RefundRow } from '../db/collection/refunds.ts';
import { lockCustomer } from '../db/customers/customers.ts';
import { findPayment } from '../db/invoicing/payments.ts';
import { takingOf } from '../domain/collection/refund.ts';
import { decimal } from '../domain/money/decimal.ts';
import { conflict, invalid } from '../domain/money/errors.ts';
import { checkDigits, toAmount } from '../domain/money/money.ts';
import { newId } from '../keys/ids.ts';
import type { Payment } from '../objects/payment.ts';
import { askForRefund } from './ask-for-refund.ts';
import { askProvider, openProvider, type Collector, type OpenedProvider } from './opened.ts';
import { ProviderError } from './provider.ts';
import { unanswered } from './providers.ts';
import { recordRefund } from './record-refund.ts';
import { withdrawalFault } from './take-back.ts';

/** `amount` null is all that is left. `request_key` is null without an Idempotency-Key. */
export type RefundRequest = {
  payment_id: string;
  amount: string | null;
  reason: string;
  request_key: string | null;
};
type Asking = { environment_id: number; act: Act; by: string };

/** Time in which a request asks for its refund itself, before the worker does. */
const OF_REQUEST_SECONDS = 60;

/**
 * Gives money of a payment back by the provider that made it (billing.md 23); null if the payment does not exist. A
 * refund at the provider that nobody here knows is recorded in its place. If the provider does not answer, the worker
 * goes on. Throws conflict `not_refundable`, `charge_in_progress`, `paid_out`, `no_payment_provider`, `key_refused`,
 * invalid_request `out_of_range` at amount, internal_error `unavailable`.
 */
export async function refundPayment(
  collector: Collector,
  { environment_id, act, by }: Asking,
  request: RefundRequest,
): Promise<Payment | null> {
  const { pool } = collector;
  const { payment_id, request_key } = request;
  const payment = await findPayment(pool, environment_id, payment_id);
  if (payment === null) return null;
  if (request_key !== null && (await findRefundByKey(pool, environment_id, request_key)) !== null)
    return payment;
  const charged = await findChargedPayment(pool, environment_id, payment_id);
  if (charged === null) throw notRefundable(payment_id, 'was not made by the payment provider');
  const opened = await openProvider(collector, environment_id);
  if (opened === null) throw conflict(null, 'no_payment_provider', 'the environment has no payment provider');
  await transaction(pool, (db) => check(db, opened, { ...request, charged }));
  if (!(await recordUnknown(collector, opened, charged))) {
    const row = await transaction(pool, (db) => begin(db, opened, { ...request, charged, by }), { act });
    const refusal = row === null ? null : await askedNow(collector, opened, row);
    if (refusal !== null) throw notRefundable(payment_id, `is refused by the provider: ${refusal}`);
  }
  return findPayment(pool, environment_id, payment_id);
}

/** Records refunds of a charge that nobody here knows; false if there is none. */
async function recordUnknown(
  collector: Collector,
  opened: OpenedProvider,
  { id, charge_reference }: ChargedPayment,
): Promise<boolean> {
  const { environment_id, id: provider_id } = opened.access;
  const known = await knownRefunds(collector.pool, environment_id, { provider_id, charge_reference });
  const there = await answered(id, () =>
    askProvider(collector, opened, (provider) => provider.refundsOf(charge_reference)),
  );
  const unknown = there.filter(
    ({ reference, refund_id }) =>
      !known.some((row) => row.provider_reference === reference || row.id === refund_id),
  );
  for (const refund of unknown) await recordRefund(collector.pool, opened.access, refund);
  return unknown.some(({ status }) => status !== 'failed');
}

/** Answer of the provider, its errors as the caller sees them. */
async function answered<Answer>(payment_id: string, request: () => Promise<Answer>): Promise<Answer> {
  try {
    return await request();
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    if (error.kind === 'unreachable') throw unanswered();
    if (error.kind === 'key_refused')
      throw conflict(null, 'key_refused', `the payment provider refused: ${error.message}`);
    throw notRefundable(payment_id, `is refused by the provider: ${error.message}`);
  }
}

type Checked = RefundRequest & { charged: ChargedPayment };

/** The payment of a refund and its amount, under the lock of the customer. Throws as refundPayment does. */
async function check(
  db: Db,
  { access: { environment_id } }: OpenedProvider,
  { payment_id, amount: asked, charged: { customer_id } }: Checked,
): Promise<{ charged: ChargedPayment; amount: string }> {
  await lockCustomer(db, environment_id, customer_id);
  // Again under the lock: it may have been reversed meanwhile.
  const charged = (await findChargedPayment(db, environment_id, payment_id))!;
  refuseUnlessRefundable(charged);
  const amount = amountOf(charged, asked);
  const { charge_reference, currency } = charged;
  const standing = await standingPayments(db, environment_id, { charge_reference, first: payment_id });
  const { reversed } = takingOf(standing, { amount, currency });
  const fault = await withdrawalFault(db, { environment_id, customer_id, currency }, reversed);
  if (fault !== null) throw fault;
  return { charged, amount };
}

/** Stores a refund before the provider is asked; null if an earlier request with its key has done so. */
async function begin(
  db: Db,
  opened: OpenedProvider,
  request: Checked & { by: string },
): Promise<RefundRow | null> {
  const { environment_id, id: provider_id } = opened.access;
  const { payment_id, request_key, reason, by } = request;
  await lockCustomer(db, environment_id, request.charged.customer_id);
  if (request_key !== null && (await findRefundByKey(db, environment_id, request_key)) !== null) return null;
  const { charged, amount } = await check(db, opened, request);
  const { invoice_id, customer_id, charge_reference, currency } = charged;
  const of = { payment_id, invoice_id, customer_id, credit_note_id: null, provider_id, charge_reference };
  const refund = { ...of, id: newId('prf'), amount, currency, reason };
  await insertRefund(db, environment_id, { ...refund, request_key, created_by: by }, OF_REQUEST_SECONDS);
  return { ...refund, environment_id, provider_reference: null, status: 'pending', taken_amount: null };
}

function refuseUnlessRefundable({
  id,
  is_reversed,
  has_open_dispute,
  has_open_refund,
  left,
}: ChargedPayment): void {
  if (has_open_refund)
    throw conflict(null, 'charge_in_progress', `a refund of the charge of payment ${id} is under way`);
  if (is_reversed) throw notRefundable(id, 'is reversed');
  if (has_open_dispute) throw notRefundable(id, 'is disputed');
  if (decimal(left).eq('0')) throw notRefundable(id, 'is refunded by credit notes');
}

/** What is to be refunded: all that is left, or what the request asks for. */
function amountOf({ left, currency }: ChargedPayment, asked: string | null): string {
  if (asked === null) return left;
  checkDigits('amount', asked, currency);
  if (decimal(asked).gt(left))
    throw invalid('amount', 'out_of_range', `amount is above ${left}, what is left to refund`);
  return toAmount(decimal(asked), currency);
}

/** Asks for a new refund; the provider's refusal, or null. Where it does not answer, the worker goes on. */
async function askedNow(
  collector: Collector,
  opened: OpenedProvider,
  row: RefundRow,
): Promise<string | null> {
  try {
    return await askForRefund(collector, opened, row);
  } catch (error) {
    if (error instanceof ProviderError) return null;
    throw error;
  }
}

function notRefundable(payment_id: string, fault: string): Error {
  return conflict(null, 'not_refundable', `payment ${payment_id} ${fault}`);
}
