import { chargesOfPlans } from '../../db/subscriptions/charges.ts';
import { duePeriodsOfSiblings, type DuePeriod } from '../../db/subscriptions/due-periods.ts';
import {
  lockCustomersOf,
  lockSubscriptions,
  readSubscriptions,
} from '../../db/subscriptions/subscription-context.ts';
import { drawsOfLines, usableGrants } from '../../db/credit/credit-draws.ts';
import { leftOutPeriods, periodsToBill } from '../../db/invoicing/billed-period.ts';
import { itemsToBill } from '../../db/invoicing/invoice-items.ts';
import { lineGroups } from '../../db/invoicing/line-groups.ts';
import { storedLines, type StoredLine } from '../../db/invoicing/line-items.ts';
import { usageLines } from '../../db/invoicing/usage-lines.ts';
import type { Db } from '../../db/connection/pool.ts';
import { closingOf } from '../../domain/invoice/period-change.ts';
import { workOf, type CloseRequest, type Work } from '../../domain/invoice/close-request.ts';
import type { Discounting } from '../../domain/pricing/discount.ts';
import type { Credit } from '../../domain/usage/counted.ts';
import { standingDraws } from '../../domain/credit/credit.ts';
import type { StoredPeriod } from '../../domain/subscription/following-period.ts';
import { groupedBy } from '../../domain/money/grouped.ts';
import type { InvoiceState } from '../../domain/lines/invoice-state.ts';
import type { ItemToBill } from '../../domain/lines/invoice-item.ts';
import { earliest, latest } from '../../domain/time/period.ts';
import type { FeesOfClose } from '../../domain/invoice/fee.ts';
import type { PeriodTerms } from '../../domain/invoice/period-lines.ts';
import {
  countedPeriods,
  fullPeriodsOf,
  othersOf,
  upToTheirEnds,
  type FullPeriod,
  type Scope,
} from '../../domain/lines/scope.ts';
import type { BillingSettings, Subscription } from '../../domain/subscription/subscription.ts';
import { SIGNALS_AT_ONCE_MAX } from './billing-order.ts';
import { loadDiscounting } from './discounting.ts';
import { comingOf, endingOf, loadFees } from './fees.ts';
import { candidatesOf, loadPeriodTerms } from './period-terms.ts';

/** The locks that a close takes, or that its caller has taken. An issue needs that of the customer. */
export type Locks = 'customer' | 'subscription' | 'taken' | 'none';

export type How = {
  locks: Locks;
  settings: BillingSettings;
  /**
   * Subscriptions that the caller has locked and read, with the due periods of their siblings; absent if they must be
   * read.
   */
  known?: readonly Pick<Member, 'subscription' | 'due_siblings'>[];
  /** Work of the caller before the numbers, after which nothing is done. */
  beforeNumber?: () => Promise<void>;
  /** Receives the time that a part took. */
  onPart?: (part: Part, ms: number) => void;
};

/** A part of a close whose time is measured. */
export type Part = 'load' | 'decide' | 'write' | 'number';

/**
 * The state of a close before usage is counted. `work` is null if nothing is left to do, `period` if there is no such
 * period.
 */
export type Member = {
  request: CloseRequest;
  subscription: Subscription;
  period: StoredPeriod | null;
  invoice: InvoiceState | null;
  work: Work | null;
  /** The due periods of the customer's other subscriptions, if this close issues. */
  due_siblings: readonly DuePeriod[];
};

/** A close that makes or changes a draft, with all that its lines are made from but its usage. */
export type Billing = Member &
  Scope & {
    period: StoredPeriod;
    work: Work;
    /** The full period that begins where the period ends; null without plans with fees in advance. */
    coming: FullPeriod | null;
    /** The full period whose fees in advance end with the period; null where none do. */
    ending: FullPeriod | null;
    fees: FeesOfClose;
    periods: readonly PeriodTerms[];
    items: readonly ItemToBill[];
    credit: Credit;
    discounting: Discounting;
    /** The lines that the draft has. */
    stored: readonly StoredLine[];
  };

/**
 * Reads the members of a group, one for each customer, in the order of the requests; leaves out subscriptions that do
 * not exist. A fixed number of statements, whatever the number of members. After the locks, statements that wait for no
 * other transaction.
 */
export async function loadMembers(
  db: Db,
  environment_id: number,
  requests: readonly CloseRequest[],
  how: How,
): Promise<{ members: Member[]; billings: Billing[] }> {
  const { settings } = how;
  const known = how.known ?? (await readMembers(db, environment_id, requests, how));
  const by_id = new Map(known.map((member) => [member.subscription.id, member]));
  const rows = groupedBy(await periodsToBill(db, environment_id, requests), (row) => row.subscription_id);
  const ended = known.flatMap(({ subscription: { id, cancel_at, now } }) =>
    cancel_at !== null && cancel_at <= now ? [id] : [],
  );
  const left_out = groupedBy(await leftOutPeriods(db, environment_id, ended), (row) => row.subscription_id);
  const members = requests.flatMap((request): Member[] => {
    const member = by_id.get(request.subscription_id);
    if (member === undefined) return [];
    const { subscription } = member;
    const row = rowOf(rows.get(subscription.id), request);
    const period = row === null ? (request.period ?? null) : cutOf(row, request);
    const invoice = row?.invoice ?? null;
    const work = period && workOf(request, { period, invoice });
    return [{ ...member, request, period, invoice, work }];
  });
  const billed = members.flatMap((member): Unloaded[] => {
    const { period, work, subscription, invoice } = member;
    if (period === null || !work?.bills) return [];
    const following = work.closes ? closingOf(subscription, period, settings).following : null;
    const of_subscription = rows.get(subscription.id) ?? [];
    const full_periods = fullPeriodsOf(period, {
      rows: of_subscription,
      following,
      left_out: left_out.get(subscription.id) ?? [],
    });
    const { late_usage_days } = settings;
    const invoice_id = invoice?.id ?? null;
    const closing = { ...member, period, work, ...full_periods, invoice_id, late_usage_days };
    const coming = comingOf(closing, of_subscription, settings);
    return [{ ...closing, coming, ending: endingOf(closing) }];
  });
  return { members, billings: await loadBillings(db, environment_id, billed) };
}

async function readMembers(
  db: Db,
  environment_id: number,
  requests: readonly CloseRequest[],
  { locks, settings }: How,
): Promise<Pick<Member, 'subscription' | 'due_siblings'>[]> {
  const ids = requests.map(({ subscription_id }) => subscription_id);
  if (locks === 'customer') await lockCustomersOf(db, environment_id, ids);
  if (locks === 'customer' || locks === 'subscription') await lockSubscriptions(db, environment_id, ids);
  const subscriptions = await readSubscriptions(db, environment_id, ids);
  const issuing = subscriptions.filter(({ id }) =>
    requests.some((request) => request.subscription_id === id && request.issues),
  );
  const siblings = { grace_period_ms: settings.grace_period_ms, limit: SIGNALS_AT_ONCE_MAX };
  const due = await duePeriodsOfSiblings(db, environment_id, issuing, siblings);
  return subscriptions.map((subscription) => ({
    subscription,
    due_siblings: due.get(subscription.id) ?? [],
  }));
}

function rowOf<Row extends StoredPeriod>(
  rows: readonly Row[] = [],
  { period_start }: CloseRequest,
): Row | null {
  return rows.find((row) => row.period_start === period_start) ?? null;
}

function cutOf(row: StoredPeriod, { cut_at }: CloseRequest): StoredPeriod {
  return cut_at === undefined ? row : { ...row, period_end: cut_at };
}

type Unloaded = Omit<
  Billing,
  'plans' | 'lines' | 'groups' | 'fees' | 'periods' | 'items' | 'credit' | 'discounting' | 'stored'
>;

async function loadBillings(db: Db, environment_id: number, billed: readonly Unloaded[]): Promise<Billing[]> {
  if (billed.length === 0) return [];
  const planIdsOf = ({ own, late, coming, ending }: Unloaded) => [
    ...new Set([own, ...late, coming, ending].flatMap((period) => (period === null ? [] : period.plan_id))),
  ];
  const charges = await chargesOfPlans(db, environment_id, [...new Set(billed.flatMap(planIdsOf))]);
  const plansOf = (member: Unloaded) => new Map(planIdsOf(member).map((id) => [id, charges.get(id) ?? []]));
  const fullPeriodKeys = (of: readonly Unloaded[]) =>
    of.flatMap((member) =>
      countedPeriods(member).map(({ period_start }) => ({
        subscription_id: member.subscription.id,
        full_period_start: period_start,
      })),
    );
  const lines = groupedBy(
    await usageLines(db, environment_id, fullPeriodKeys(billed)),
    (line) => line.subscription_id,
  );
  const grouping = billed.filter((member) =>
    [...plansOf(member).values()].flat().some(({ group_by }) => group_by !== null),
  );
  const groups = groupedBy(
    await lineGroups(db, environment_id, fullPeriodKeys(grouping)),
    (group) => group.subscription_id,
  );
  const takers = billed.map(({ subscription, invoice_id, request }) => ({
    subscription_id: subscription.id,
    invoice_id,
    item_ids: request.item_ids ?? null,
  }));
  const items = groupedBy(await itemsToBill(db, environment_id, takers), (item) => item.subscription_id);
  const discounting = await loadDiscounting(
    db,
    environment_id,
    billed.map((member) => ({ ...member, full_period_starts: startsOf(member) })),
  );
  const with_discounts = billed.map((member) => ({
    ...member,
    discounting: discounting.get(member.subscription.id)!,
  }));
  const fees = await loadFees(db, environment_id, with_discounts);
  const periods = await loadPeriodTerms(
    db,
    environment_id,
    billed.map((member) => ({ ...member, candidates: candidatesOf(member) })),
  );
  const drafts = billed.flatMap(({ invoice_id }) => (invoice_id === null ? [] : [invoice_id]));
  const stored = groupedBy(await storedLines(db, environment_id, drafts), (line) => line.invoice_id);
  const loaded = with_discounts.map((member) => ({
    ...member,
    plans: plansOf(member),
    lines: lines.get(member.subscription.id) ?? [],
    groups: groups.get(member.subscription.id) ?? [],
    fees: fees.get(member.subscription.id) ?? { ending: null, coming: null },
    periods: periods.get(member.subscription.id)!,
    items: (items.get(member.subscription.id) ?? []).map(({ subscription_id: _, ...item }) => item),
    stored: member.invoice_id === null ? [] : (stored.get(member.invoice_id) ?? []),
  }));
  return loadCredit(db, environment_id, loaded.map(upToTheirEnds));
}

/** The starts of the full periods of which an invoice may have lines. */
function startsOf(member: Unloaded): string[] {
  const { own, coming, ending } = member;
  return [...countedPeriods(member), own, coming, ending].flatMap((period) => period?.period_start ?? []);
}

async function loadCredit(
  db: Db,
  environment_id: number,
  billed: readonly Omit<Billing, 'credit'>[],
): Promise<Billing[]> {
  const other_lines = billed.flatMap((billing) => othersOf(billing).map(({ id }) => id));
  const draws = await drawsOfLines(db, environment_id, other_lines);
  const questions = billed.map(({ subscription, own, late }) => ({
    customer_id: subscription.customer_id,
    subscription_id: subscription.id,
    from: [own, ...late].map(({ period_start }) => period_start).reduce(earliest),
    to: [own, ...late].map(({ period_end }) => period_end).reduce(latest),
  }));
  const grant_ids = [...new Set(draws.map(({ grant }) => grant.id))];
  const grants = groupedBy(
    await usableGrants(db, environment_id, { questions, grant_ids }),
    (grant) => grant.customer_id,
  );
  const draws_of = groupedBy(draws, ({ subscription_id }) => subscription_id);
  return billed.map((billing) => {
    const { id, customer_id } = billing.subscription;
    const by_line = groupedBy(draws_of.get(id) ?? [], ({ line_key }) => line_key);
    const previous_draws = new Map([...by_line].map(([key, drawn]) => [key, standingDraws(drawn)]));
    return { ...billing, credit: { grants: grants.get(customer_id) ?? [], previous_draws } };
  });
}
