import { noteRefund, type RefundRow } from '../db/collection/refunds.ts';
import { askProvider, type Collector, type OpenedProvider } from './opened.ts';
import { refusalOf } from './provider.ts';
import { recordRefund } from './record-refund.ts';

/**
 * Asks the provider for a refund whose row is stored, and books it. Asked again within 24 hours, the provider makes no
 * second one. Returns its word for why it never will, with which the refund has failed; null once it has taken it.
 */
export async function askForRefund(
  collector: Collector,
  opened: OpenedProvider,
  row: RefundRow,
): Promise<string | null> {
  const { id: refund_id, charge_reference, amount, currency } = row;
  const made = await askProvider(collector, opened, (provider) =>
    provider.createRefund({ refund_id, charge_reference, amount, currency }).catch(refusalOf),
  );
  if (typeof made === 'string') {
    await noteRefund(collector.pool, row, { reference: null, status: 'failed' });
    return made;
  }
  await recordRefund(collector.pool, opened.access, made);
  return null;
}

/**
 * Asks for a refund whose answer may be lost: one of the charge there that has its id is recorded in place of a new
 * one, whatever time has passed.
 */
async function askAgain(collector: Collector, opened: OpenedProvider, row: RefundRow): Promise<void> {
  const { pool } = collector;
  const there = await askProvider(collector, opened, (provider) => provider.refundsOf(row.charge_reference));
  const own = there.find(({ refund_id }) => refund_id === row.id);
  if (own === undefined) await askForRefund(collector, opened, row);
  else await recordRefund(pool, opened.access, own);
}

/** Goes on with a refund whose turn it is: asks for it, or reads how it stands. */
export async function goOnWithRefund(
  collector: Collector,
  opened: OpenedProvider,
  row: RefundRow,
): Promise<void> {
  const { provider_reference } = row;
  if (provider_reference === null) return askAgain(collector, opened, row);
  const refund = await askProvider(collector, opened, (provider) => provider.readRefund(provider_reference));
  if (refund !== null) await recordRefund(collector.pool, opened.access, refund);
  else await noteRefund(collector.pool, row, { reference: null, status: row.status });
}
