import type { Period } from '../time/period.ts';

/** A period by its bounds. */
export type Bounds = Pick<Period, 'period_start' | 'period_end'>;

/**
 * The period that is not closed; a period of kind `late` collects late usage after the end of a canceled subscription.
 */
export type OpenPeriod = Bounds & {
  kind: Period['kind'] | 'late';
  /** End of its draft's hold; null holds the draft until it is finalized. */
  hold_until: string | null;
  /** Null until its beginning is worked off. */
  opened_at: string | null;
};

/** A draft of a subscription. */
export type NextDraft = Bounds & {
  id: string;
  usage_revision: number;
  /** Null: held until it is finalized. */
  held_until: string | null;
  due: boolean;
  /** Usage is counted but provisional credit is missing, because the workflow died between the steps. */
  unfinished: boolean;
};

/** The facts that may keep a subscription from billing. */
type Interruption = {
  /** The reason why the subscription is parked; null if it is not. */
  attention: string | null;
  /** It was parked, and was not billed since. */
  billing_failed: boolean;
  /** The signal `wake` came: a parked subscription tries again. */
  retries_now: boolean;
  /** The oldest pending request to regenerate an invoice. */
  request: { id: string; invoice_id: string } | null;
};

/** The rows that decide what a subscription does next. Instants are by the customer's clock. */
export type Facts = Interruption & {
  now: string;
  drafts: readonly NextDraft[];
  period: OpenPeriod | null;
  /** The period that follows `period`, if that is a trial; null if none follows. */
  period_after_trial: OpenPeriod | null;
  has_quantity_to_settle: boolean;
};

export type Decision =
  | { kind: 'regenerate'; request: { id: string; invoice_id: string } }
  | { kind: 'wait_for_person'; attention: string }
  /** Count usage and apply credit; the draft is then held. */
  | { kind: 'count'; billed: Bounds; revision: number }
  /** Count usage, apply credit and issue, once it is the turn of this period among those of the customer. */
  | { kind: 'issue'; billed: Bounds; revision: number }
  | { kind: 'hold'; draft: NextDraft; period: OpenPeriod | null }
  | { kind: 'collect'; period: OpenPeriod }
  | { kind: 'end' };

/** The rows that change with a decision. */
export type Effects = {
  /** The subscription is no longer parked. */
  clears_attention: boolean;
  /** The cause for which it was parked is overcome: nothing that is due is left. */
  recovers: boolean;
  /** The trial is over: a trial makes no invoice, so it closes here. */
  closes_trial: boolean;
  /** The open period has begun, and its beginning is work. */
  opens: boolean;
  /** A quantity has come, and its notes and openings are to be made. */
  settles: boolean;
  /** Every period is billed, and none will follow. */
  finishes: boolean;
};

const NO_EFFECTS: Effects = {
  clears_attention: false,
  recovers: false,
  closes_trial: false,
  opens: false,
  settles: false,
  finishes: false,
};

/** Decides the next step of a subscription (billing.md 6), and the rows that change with it. */
export function decide(facts: Facts): { decision: Decision; effects: Effects } {
  const interruption = interruptionOf(facts);
  if (interruption !== null) return { decision: interruption, effects: NO_EFFECTS };
  const { now, attention, billing_failed, has_quantity_to_settle: settles } = facts;
  const draft = firstDraft(facts.drafts);
  const closes_trial = facts.period?.kind === 'trial' && facts.period.period_end <= now;
  const period = closes_trial ? facts.period_after_trial : facts.period;
  const decision = billingOf({ now, draft, period });
  const opens = period !== null && period.opened_at === null && period.period_start <= now;
  const finishes = decision.kind === 'end';
  const recovers = billing_failed && decision.kind !== 'count' && decision.kind !== 'issue';
  const clears_attention = attention !== null;
  return { decision, effects: { clears_attention, recovers, closes_trial, opens, settles, finishes } };
}

/** The draft that a subscription must handle first: one whose hold is over, then an unfinished one, then the oldest. */
function firstDraft(drafts: readonly NextDraft[]): NextDraft | null {
  const later = ({ due, unfinished }: NextDraft) => [!due, !unfinished].map(Number).join('');
  const place = (draft: NextDraft) => `${later(draft)} ${draft.period_start}`;
  const [first] = [...drafts].sort((a, b) => (place(a) < place(b) ? -1 : 1));
  return first ?? null;
}

function interruptionOf({ attention, retries_now, request }: Interruption): Decision | null {
  // A request is served even while the subscription is parked: the regeneration may be the repair.
  if (request !== null) return { kind: 'regenerate', request };
  return attention === null || retries_now ? null : { kind: 'wait_for_person', attention };
}

type Due = Pick<Facts, 'now' | 'period'> & { draft: NextDraft | null };

function billingOf({ now, draft, period }: Due): Decision {
  if (draft?.due === true) return { kind: 'issue', billed: draft, revision: draft.usage_revision + 1 };
  if (draft?.unfinished === true) return { kind: 'count', billed: draft, revision: draft.usage_revision };
  if (period !== null && period.period_end <= now) {
    const is_held = period.hold_until === null || period.hold_until > now;
    return { kind: is_held ? 'count' : 'issue', billed: period, revision: 1 };
  }
  if (draft !== null) return { kind: 'hold', draft, period };
  return period === null ? { kind: 'end' } : { kind: 'collect', period };
}
