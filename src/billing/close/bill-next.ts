import {
  lockCustomersOf,
  lockSubscriptions,
  lockWhatIsFree,
  readSubscriptions,
} from '../../db/subscriptions/subscription-context.ts';
import { eventsToRead } from '../../db/usage/events-to-read.ts';
import type { Db } from '../../db/connection/pool.ts';
import type { DecidedClose } from '../../domain/invoice/close.ts';
import type { Effects, NextDraft } from '../../domain/subscription/next-step.ts';
import type { Action, WorkflowStep } from '../../domain/subscription/workflow-step.ts';
import { nextInTurn } from './billing-order.ts';
import { decideAll, writeDecided, type Decided } from './close.ts';
import type { How } from './load.ts';
import {
  carryOut,
  loadAsked,
  NOTHING,
  shownStep,
  stepByRows,
  type Asked,
  type NextStep,
  type Question,
} from './next-step.ts';

/** The bill of one period: what each step did, in ids and counts. Histories hold the names. */
export type Billed = {
  period_start: string;
  period_end: string;
  /** The invoice, null if a canceled subscription's last invoice would have no lines, and the number of its lines. */
  aggregateUsage: { invoice_id: string | null; line_items: number };
  /** The number of lines that credit covers, in part or whole. */
  applyCredits: { line_items: number };
  /** Null while the draft is held. */
  issueInvoice: { status: 'open' | 'paid' } | null;
};

/** The answer about a subscription: the bill, if one was due, and what comes next. */
export type Answer = {
  billed: Billed | null;
  step: NextStep;
  /** The customer's subscriptions whose turn it is now; the caller signals them. */
  turns: { environment_id: number; subscription_id: string }[];
};

/**
 * The result for a member of a group. `later`: another transaction has locked it, or the group is full, and nothing was
 * done.
 */
export type Outcome =
  | { kind: 'answered'; answer: Answer }
  | { kind: 'failed'; failure: Error }
  | { kind: 'later'; why: 'locked' | 'full' };

/** A bill reads a million events in 0.7 s, or in 1.5 s on a busy machine; a charge may read them twice. */
const EVENTS_MAX = 1_000_000;

type GroupHow = Pick<How, 'settings' | 'onPart'> & {
  /** True to wait for the locks, for a group of one. */
  waits: boolean;
};

/**
 * Does what is due of each subscription, of one environment, and says what comes next, in the caller's transaction:
 * bills one period if one is due, which counts usage, applies credit and, unless the draft is held, issues. Returns the
 * outcomes in the order of the questions. Throws what concerns all members, such as a halt of numbers: nothing may be
 * committed then.
 */
export async function billNext(
  db: Db,
  environment_id: number,
  questions: readonly Question[],
  how: GroupHow,
): Promise<Outcome[]> {
  const locked = await lockGroup(db, environment_id, questions, how);
  const locked_questions = questions.filter(({ subscription_id }) => locked.has(subscription_id));
  const situations = await loadAsked(db, environment_id, locked_questions, how.settings);
  const steps = situations.map((situation) => ({ ...situation, ...stepByRows(situation, how.settings) }));
  const { full, billing, other_steps } = await weigh(db, environment_id, steps);
  const outcomes = new Map<string, Outcome>(full.map((id) => [id, { kind: 'later', why: 'full' }]));
  const is_full = new Set(full);
  const done = steps.filter(({ subscription }) => !is_full.has(subscription.id));
  await carryOut(db, environment_id, done, how.settings);
  for (const member of other_steps) {
    const answer = { billed: null, step: shownStep(member, member.step), turns: [] };
    outcomes.set(member.subscription.id, { kind: 'answered', answer });
  }
  const to_bill = await withMovedBalances(db, environment_id, billing);
  for (const [id, outcome] of await billMembers(db, environment_id, to_bill, how)) outcomes.set(id, outcome);
  return questions.map(({ subscription_id: id }): Outcome => {
    if (!locked.has(id)) return { kind: 'later', why: 'locked' };
    return outcomes.get(id) ?? { kind: 'answered', answer: { billed: null, step: NOTHING, turns: [] } };
  });
}

async function lockGroup(
  db: Db,
  environment_id: number,
  questions: readonly Question[],
  { waits }: GroupHow,
): Promise<Set<string>> {
  const ids = questions.map(({ subscription_id }) => subscription_id);
  if (!waits) return lockWhatIsFree(db, environment_id, ids);
  await lockCustomersOf(db, environment_id, ids);
  await lockSubscriptions(db, environment_id, ids);
  return new Set(ids);
}

type Step = Asked & { step: WorkflowStep; effects: Effects };
type Billing = Step & { action: Extract<Action, { kind: 'bill' }> };

/**
 * Splits steps into bills of this group, members for which the group is full, by their ids, and all others. A bill that
 * alone reads more than a group may is heavy: it is answered so.
 */
async function weigh(
  db: Db,
  environment_id: number,
  steps: readonly Step[],
): Promise<{ full: string[]; billing: Billing[]; other_steps: Step[] }> {
  const bills = steps.flatMap((member): Billing[] =>
    member.step.action.kind === 'bill' ? [{ ...member, action: member.step.action }] : [],
  );
  const to_bill = bills.map(({ subscription, action }) => ({ subscription, ...action }));
  const events = await eventsToRead(db, environment_id, to_bill);
  const parts = { full: [] as string[], billing: [] as Billing[], other_steps: steps.filter(isNoBill) };
  let sum = 0;
  for (const bill of bills) {
    const weight = events.get(bill.subscription.id)!;
    const action = { ...bill.action, is_heavy: weight > EVENTS_MAX };
    if (action.is_heavy) parts.other_steps.push({ ...bill, step: { ...bill.step, action } });
    else if (sum + weight > EVENTS_MAX) parts.full.push(bill.subscription.id);
    else {
      sum += weight;
      parts.billing.push(bill);
    }
  }
  return parts;
}

/** Members whose quantities were settled before their bill, by notes that may have given to their balances. */
async function withMovedBalances(
  db: Db,
  environment_id: number,
  billing: readonly Billing[],
): Promise<Billing[]> {
  const ids = billing.flatMap(({ effects, subscription }) => (effects.settles ? [subscription.id] : []));
  if (ids.length === 0) return [...billing];
  const read = new Map((await readSubscriptions(db, environment_id, ids)).map((row) => [row.id, row]));
  return billing.map((member) => ({
    ...member,
    subscription: read.get(member.subscription.id) ?? member.subscription,
  }));
}

function isNoBill({ step }: Step): boolean {
  return step.action.kind !== 'bill';
}

async function billMembers(
  db: Db,
  environment_id: number,
  billing: readonly Billing[],
  how: GroupHow,
): Promise<Map<string, Outcome>> {
  if (billing.length === 0) return new Map();
  const requests = billing.map(({ subscription, action: { period_start, revision, issue } }) => ({
    subscription_id: subscription.id,
    period_start,
    usage_revision: revision,
    credit_revision: revision,
    issues: issue,
  }));
  const decided = await decideAll(db, environment_id, requests, { ...how, locks: 'taken', known: billing });
  const after = decided.map((member, at) => {
    const situation = askedAfter(billing[at]!, member);
    return { ...member, after: situation, next: stepByRows(situation, how.settings) };
  });
  const effects = after.flatMap(({ failure, after: { subscription, rows }, next }) =>
    // Billed, it has recovered, whatever else is due.
    failure === null
      ? [{ subscription, rows, effects: { ...next.effects, recovers: subscription.billing_failed } }]
      : [],
  );
  // Before the number, after which nothing is done.
  await writeDecided(db, environment_id, decided, {
    ...how,
    beforeNumber: () => carryOut(db, environment_id, effects, how.settings),
  });
  return new Map(after.map((member) => [member.subscription.id, outcomeOf(environment_id, member)]));
}

type DecidedStep = Decided & { after: Asked; next: { step: WorkflowStep } };

function outcomeOf(environment_id: number, member: DecidedStep): Outcome {
  const { failure, due_siblings, period, decided, after, next } = member;
  if (failure !== null) return { kind: 'failed', failure };
  const did_issue = (decided?.issue ?? null) !== null;
  const turns = did_issue ? nextInTurn(environment_id, due_siblings, period!.period_end) : [];
  return { kind: 'answered', answer: { billed: billedOf(member), step: shownStep(after, next.step), turns } };
}

function billedOf({ period, decided, invoice_id }: Decided): Billed | null {
  if (decided === null) return null;
  const { period_start, period_end } = period!;
  const line_items = decided.draft?.composed.line_items ?? [];
  const credited = line_items.filter(({ credits_applied }) => credits_applied !== '0');
  return {
    period_start,
    period_end,
    aggregateUsage: { invoice_id, line_items: line_items.length },
    applyCredits: { line_items: credited.length },
    issueInvoice: decided.issue && { status: decided.issue.status },
  };
}

/** The rows of a subscription as a close leaves them, from which the step after it follows. */
function askedAfter(situation: Asked, { decided, invoice_id, period }: Decided): Asked {
  if (decided === null || period === null) return { ...situation, retries_now: false };
  const { rows, subscription } = situation;
  const closing = decided.periods.find(({ closed_at }) => closed_at !== null);
  const open =
    closing === undefined ? rows.open : closing.following && { ...closing.following, closed_at: null };
  const { period_start } = period;
  const other_drafts = rows.drafts.filter((draft) => draft.period_start !== period_start);
  const held_drafts =
    decided.draft !== null && decided.issue === null ? [heldDraft(situation, decided, invoice_id!)] : [];
  const is_last = invoice_id !== null && (rows.last_invoice?.period_start ?? '') <= period_start;
  const last_invoice = is_last ? { id: invoice_id, period_start } : rows.last_invoice;
  return {
    ...situation,
    retries_now: false,
    subscription: { ...subscription, attention: null },
    rows: { ...rows, open, drafts: [...other_drafts, ...held_drafts], last_invoice },
  };
}

function heldDraft({ rows, subscription }: Asked, { draft }: DecidedClose, id: string): NextDraft {
  const { period, hold_until, usage_revision, credit_revision } = draft!;
  const { period_start, period_end } = period;
  const stored = rows.drafts.find((next_draft) => next_draft.id === id);
  const held_until = stored === undefined ? hold_until : stored.held_until;
  const due = held_until !== null && held_until <= subscription.now;
  return {
    id,
    period_start,
    period_end,
    usage_revision,
    held_until,
    due,
    unfinished: credit_revision < usage_revision,
  };
}
