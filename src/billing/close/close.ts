import { billedInvoices } from '../../db/invoicing/creditable.ts';
import type { DuePeriod } from '../../db/subscriptions/due-periods.ts';
import type { Db } from '../../db/connection/pool.ts';
import { setImmediate as turn } from 'node:timers/promises';
import type { CloseContext } from '../../domain/invoice/close-context.ts';
import { decideClose, type DecidedClose } from '../../domain/invoice/close.ts';
import type { CloseRequest } from '../../domain/invoice/close-request.ts';
import type { StoredPeriod } from '../../domain/subscription/following-period.ts';
import { closingOf } from '../../domain/invoice/period-change.ts';
import type { Subscription } from '../../domain/subscription/subscription.ts';
import { newId } from '../../keys/ids.ts';
import { countUsage } from './count.ts';
import { loadMembers, type Billing, type How, type Member } from './load.ts';
import { writeCloses } from './write.ts';

/** A close whose content is decided, and nothing of it written. */
export type Decided = Member & {
  /** Null if nothing is left to do, or if the decision failed. */
  decided: DecidedClose | null;
  billing: Billing | null;
  /** The invoice that the period has, or will have; null if it has none. */
  invoice_id: string | null;
  failure: Error | null;
};

export type Closed = {
  subscription: Subscription;
  period: StoredPeriod | null;
  /** The invoice of the period, whether this close or an earlier one made it; null if it has none. */
  invoice_id: string | null;
  did_issue: boolean;
  due_siblings: readonly DuePeriod[];
};

/**
 * Closes periods of several customers, one for each customer, in the caller's transaction: loads, decides and writes
 * (billing.md 6). A request that was done before changes nothing. Returns the closes in the order of the requests,
 * without subscriptions that do not exist. Throws conflict `invalid_state` if live invoices wait for the count of
 * numbers, and the failure of a decision.
 */
export async function closeAll(
  db: Db,
  environment_id: number,
  requests: readonly CloseRequest[],
  how: How,
): Promise<Closed[]> {
  const decided = await decideAll(db, environment_id, requests, how);
  const failed = decided.find(({ failure }) => failure !== null);
  if (failed !== undefined) throw failed.failure!;
  await writeDecided(db, environment_id, decided, how);
  return decided.map(({ subscription, period, invoice_id, due_siblings, decided: close }) => {
    const did_issue = (close?.issue ?? null) !== null;
    return { subscription, period, invoice_id, did_issue, due_siblings };
  });
}

/** Closes one period as closeAll does; null if the subscription does not exist. */
export async function closeOne(
  db: Db,
  environment_id: number,
  request: CloseRequest,
  how: How,
): Promise<Closed | null> {
  const [closed] = await closeAll(db, environment_id, [request], how);
  return closed ?? null;
}

/** Loads and decides closes. A preview, without locks, takes no cut-off. */
export async function decideAll(
  db: Db,
  environment_id: number,
  requests: readonly CloseRequest[],
  how: How,
): Promise<Decided[]> {
  const began_at = performance.now();
  const { members, billings } = await loadMembers(db, environment_id, requests, how);
  const contexts = await countUsage(db, environment_id, billings, { is_preview: how.locks === 'none' });
  const loaded_at = performance.now();
  how.onPart?.('load', loaded_at - began_at);
  const context_of = new Map(contexts.map((context) => [context.subscription.id, context]));
  const billing_of = new Map(billings.map((billing) => [billing.subscription.id, billing]));
  const decided: Decided[] = [];
  for (const member of members) {
    const { id } = member.subscription;
    decided.push(
      decideMember(member, { context: context_of.get(id), billing: billing_of.get(id) ?? null }, how),
    );
    // A large group must not stop the thread for long: Temporal's clock runs.
    if (members.length > 1) await turn();
  }
  const corrected = await decideCorrected(db, environment_id, { decided, context_of }, how);
  how.onPart?.('decide', performance.now() - loaded_at);
  return corrected;
}

/** Decides the closes that credit what earlier invoices billed again, beside these invoices. */
async function decideCorrected(
  db: Db,
  environment_id: number,
  { decided, context_of }: { decided: Decided[]; context_of: ReadonlyMap<string, CloseContext> },
  how: How,
): Promise<Decided[]> {
  const keys = decided.flatMap(({ decided: close, subscription: { id: subscription_id } }) =>
    (close?.corrected ?? []).map((full_period_start) => ({ subscription_id, full_period_start })),
  );
  if (keys.length === 0) return decided;
  const billed = await billedInvoices(db, environment_id, keys);
  return decided.map((member) => {
    const context = context_of.get(member.subscription.id);
    if (context === undefined || (member.decided?.corrected.length ?? 0) === 0) return member;
    const invoices = billed.get(member.subscription.id) ?? [];
    const again = { context: { ...context, billed: invoices }, billing: member.billing };
    return { ...member, ...decideMember(member, again, how) };
  });
}

function decideMember(
  member: Member,
  { context, billing }: { context: CloseContext | undefined; billing: Billing | null },
  { settings }: How,
): Decided {
  const invoice_id = member.invoice?.id ?? null;
  try {
    const decided =
      context === undefined ? closingOfMember(member, settings) : decideClose(context, settings);
    const has_new = (decided?.draft ?? null) !== null && invoice_id === null;
    return { ...member, billing, decided, invoice_id: has_new ? newId('inv') : invoice_id, failure: null };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { ...member, billing, decided: null, invoice_id, failure: error };
  }
}

/** The end of a trial makes no invoice. */
function closingOfMember(
  { work, period, subscription }: Member,
  settings: How['settings'],
): DecidedClose | null {
  if (!work?.closes || period === null) return null;
  const periods = [closingOf(subscription, period, settings)];
  return { periods, draft: null, corrected: [], notes: [], issue: null };
}

/** Writes what decideAll decided, in the same transaction. */
export async function writeDecided(
  db: Db,
  environment_id: number,
  decided: readonly Decided[],
  how: Pick<How, 'onPart' | 'beforeNumber'> = {},
): Promise<void> {
  const to_write = decided.flatMap(
    ({ decided: close, request, subscription, invoice, invoice_id, billing }) => {
      if (close === null) return [];
      const { replaces = null, cause = null } = request;
      const draft_id = close.draft === null ? null : invoice_id;
      const made = { invoice_id: draft_id, is_new: invoice === null, replaces, cause };
      return [{ ...close, subscription, ...made, stored: billing?.stored ?? [] }];
    },
  );
  await writeCloses(db, environment_id, to_write, how);
}
