import type { DuePeriod } from '../../db/subscriptions/due-periods.ts';
import type { Db } from '../../db/connection/pool.ts';
import { decideClose, type DecidedClose } from '../../domain/close.ts';
import { closingOf } from '../../domain/period-change.ts';
import type { CloseRequest } from '../../domain/close-request.ts';
import type { StoredPeriod } from '../../domain/following-period.ts';
import type { BillingSettings, Subscription } from '../../domain/subscription.ts';
import { countUsage } from './count.ts';
import { loadMembers, type Billing, type Locks, type Member } from './load.ts';
import { writeCloses } from './write.ts';

/** A close whose content is decided, and nothing of it written. */
export type Decided = Member & { decided: DecidedClose | null; billing: Billing | null };

export type Closed = {
  subscription: Subscription;
  period: StoredPeriod | null;
  /** The invoice of the period, whether this close or an earlier one made it; null if it has none. */
  invoice_id: string | null;
  did_issue: boolean;
  due_siblings: readonly DuePeriod[];
};

/**
 * Closes periods of several customers, one for each customer, in the caller's transaction: loads, decides and writes (billing.md 6). A request
 * that was done before changes nothing. Returns the closes in the order of the requests, without subscriptions that do not exist. Throws
 * conflict `invalid_state` if live invoices wait for the count of numbers.
 */
export async function closeAll(
  db: Db,
  environment_id: number,
  requests: readonly CloseRequest[],
  how: { locks: Locks; settings: BillingSettings },
): Promise<Closed[]> {
  return writeDecided(db, environment_id, await decideAll(db, environment_id, requests, how));
}

/** Closes one period as closeAll does; null if the subscription does not exist. */
export async function closeOne(
  db: Db,
  environment_id: number,
  request: CloseRequest,
  how: { locks: Locks; settings: BillingSettings },
): Promise<Closed | null> {
  const [closed] = await closeAll(db, environment_id, [request], how);
  return closed ?? null;
}

/** Loads and decides closes. A preview, without locks, takes no cut-off. */
export async function decideAll(
  db: Db,
  environment_id: number,
  requests: readonly CloseRequest[],
  how: { locks: Locks; settings: BillingSettings },
): Promise<Decided[]> {
  const { members, billings } = await loadMembers(db, environment_id, requests, how);
  const contexts = await countUsage(db, environment_id, billings, { is_preview: how.locks === 'none' });
  const by_subscription = new Map(contexts.map((context) => [context.subscription.id, context]));
  return members.map((member) => {
    const context = by_subscription.get(member.subscription.id);
    const billing = billings.find(({ subscription }) => subscription.id === member.subscription.id) ?? null;
    if (context !== undefined) return { ...member, billing, decided: decideClose(context, how.settings) };
    return { ...member, billing, decided: closingOfMember(member, how.settings) };
  });
}

function closingOfMember(
  { work, period, subscription }: Member,
  settings: BillingSettings,
): DecidedClose | null {
  if (!work?.closes || period === null) return null;
  return { periods: [closingOf(subscription, period, settings)], draft: null, issue: null };
}

/** Writes what decideAll decided, in the same transaction. */
export async function writeDecided(
  db: Db,
  environment_id: number,
  decided: readonly Decided[],
): Promise<Closed[]> {
  const to_write = decided.flatMap(({ decided: close, request, subscription, invoice, billing }) => {
    if (close === null) return [];
    const { replaces = null } = request;
    const invoice_id = invoice?.id ?? null;
    return [{ ...close, subscription, invoice_id, replaces, stored: billing?.stored ?? [] }];
  });
  const ids = await writeCloses(db, environment_id, to_write);
  const made = new Map(to_write.map(({ subscription }, at) => [subscription.id, ids[at]!]));
  return decided.map(({ subscription, period, invoice, due_siblings, decided: close }) => {
    const invoice_id = invoice?.id ?? made.get(subscription.id) ?? null;
    const did_issue = (close?.issue ?? null) !== null;
    return { subscription, period, invoice_id, did_issue, due_siblings };
  });
}
