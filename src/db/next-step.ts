import { earliest } from '../domain/period.ts';
import { courseOf, holdUntil, type BillingSettings } from './billing.ts';
import { closePeriod, findOpenPeriod, type StoredPeriod } from './periods.ts';
import { findPendingRegeneration, lastRegeneration } from './regenerations.ts';
import { finishSubscription, lockSubscription, setAttention, type Subscription } from './subscriptions.ts';
import type { Db } from './pool.ts';

/** What a person who reads the workflow list needs to know; the search attribute BillingState holds it. */
export type BillingState =
  | 'waits_for_start'
  | 'in_trial'
  | 'collecting_usage'
  | 'collecting_late_usage'
  | 'draft_held'
  | 'billing'
  | 'needs_attention'
  | 'ended';

export type Action =
  | { kind: 'bill'; period_start: string; period_end: string; revision: number; issue: boolean }
  | { kind: 'regenerate'; regeneration_id: string; invoice_id: string }
  /** wait_ms null waits for a signal only: the customer's time stands still, or a person must act. */
  | { kind: 'wait'; wait_ms: number | null; until: string | null; more_soon: boolean }
  | { kind: 'end' };

/** What the workflow of a subscription does next, and what it shows meanwhile. Ids, instants and milliseconds; no amounts. */
export type NextStep = {
  state: BillingState;
  customer_id: string | null;
  plan_id: string | null;
  period_end: string | null;
  last_invoice_id: string | null;
  /** Markdown, for the person who reads the Temporal UI and not the code. */
  details: string;
  action: Action;
};

type SubscriptionKey = { environment_id: number; subscription_id: string };

/**
 * Reads from the rows what a subscription's workflow should do now, by the customer's clock. All that it changes is to close a
 * trial whose time is over, which makes no invoice, and to take a woken subscription out of its parking place.
 */
export async function nextStep(
  db: Db,
  key: SubscriptionKey & { woken: boolean },
  settings: BillingSettings,
): Promise<NextStep> {
  const subscription = await lockSubscription(db, key.environment_id, key.subscription_id);
  if (subscription === null) return NOTHING;
  const shown = { ...identity(subscription), last_invoice_id: await lastInvoiceId(db, key) };
  const request = await findPendingRegeneration(db, key);
  // Also of a subscription that needs attention: replacing an invoice may be what mends it.
  if (request !== null) return { ...shown, ...regenerate(request) };
  if (subscription.attention !== null && !key.woken) return { ...shown, ...parked(subscription.attention) };
  if (subscription.attention !== null) await setAttention(db, key.environment_id, subscription.id, null);

  const draft = await findDraft(db, key, subscription.now);
  const period = await findUnendedPeriod(db, key, { subscription, settings });
  if (draft?.due === true)
    return { ...shown, ...bill(draft, { revision: draft.usage_revision + 1, issue: true }) };
  if (draft?.unfinished === true)
    return { ...shown, ...bill(draft, { revision: draft.usage_revision, issue: false }) };
  if (period !== null && period.period_end <= subscription.now) {
    const hold_until = holdUntil(subscription, period, settings);
    return {
      ...shown,
      ...bill(period, { revision: 1, issue: hold_until !== null && hold_until <= subscription.now }),
    };
  }
  if (draft !== null || period !== null) {
    const waiting = wait(subscription, draft, period);
    return { ...shown, ...waiting, details: waiting.details + (await regenerationDetails(db, key)) };
  }
  await finishSubscription(db, key.environment_id, subscription.id);
  return { ...shown, ...ENDED };
}

const ENDED = {
  state: 'ended',
  period_end: null,
  details: 'Every period is billed and the subscription has ended.',
  action: { kind: 'end' },
} as const;

const NOTHING: NextStep = { ...ENDED, customer_id: null, plan_id: null, last_invoice_id: null };

function identity({ customer_id, plan_id }: Subscription) {
  return { customer_id, plan_id };
}

function parked(attention: string) {
  return {
    state: 'needs_attention',
    period_end: null,
    details: `**Needs a person:** ${attention}\n\nMend it, then send the signal \`wake\`.`,
    action: { kind: 'wait', wait_ms: null, until: null, more_soon: false },
  } as const;
}

function bill(
  billed: { period_start: string; period_end: string },
  how: { revision: number; issue: boolean },
): Pick<NextStep, 'state' | 'period_end' | 'details' | 'action'> {
  const { period_start, period_end } = billed;
  return {
    state: 'billing',
    period_end,
    details: `Billing the period ${period_start} to ${period_end}.`,
    action: { kind: 'bill', period_start, period_end, ...how },
  };
}

function regenerate({
  id,
  invoice_id,
}: {
  id: string;
  invoice_id: string;
}): Pick<NextStep, 'state' | 'period_end' | 'details' | 'action'> {
  return {
    state: 'billing',
    period_end: null,
    details: `Replacing the invoice \`${invoice_id}\`, as \`${id}\` asks.`,
    action: { kind: 'regenerate', regeneration_id: id, invoice_id },
  };
}

async function regenerationDetails(db: Db, key: SubscriptionKey): Promise<string> {
  const last = await lastRegeneration(db, key);
  if (last === null) return '';
  const { invoice_id, new_invoice_id, refusal } = last;
  const outcome = new_invoice_id === null ? `refused: ${refusal}` : `replaced by \`${new_invoice_id}\``;
  return `\n\nLast regeneration, of \`${invoice_id}\`: ${outcome}.`;
}

function wait(
  subscription: Subscription,
  draft: Draft | null,
  period: StoredPeriod | null,
): Pick<NextStep, 'state' | 'period_end' | 'details' | 'action'> {
  const { now, has_test_clock, advancing } = subscription;
  const { state, until, details } = waitingFor(subscription, draft, period);
  const stands_still = `\n\nThe customer's test clock stands at ${now}; it moves when it is advanced.`;
  return {
    state,
    period_end: period?.period_end ?? draft?.period_end ?? null,
    details: has_test_clock ? details + stands_still : details,
    action: {
      kind: 'wait',
      wait_ms: has_test_clock || until === null ? null : Math.max(1, Date.parse(until) - Date.parse(now)),
      until,
      more_soon: advancing,
    },
  };
}

function waitingFor(
  subscription: Subscription,
  draft: Draft | null,
  period: StoredPeriod | null,
): { state: BillingState; until: string | null; details: string } {
  const { now, start_date } = subscription;
  if (draft !== null) {
    const ends = [draft.held_until, period?.period_end].filter((end) => typeof end === 'string');
    const until = ends.length === 0 ? null : ends.reduce(earliest);
    const held =
      draft.held_until === null ? 'until somebody finalizes it' : `for late events until ${draft.held_until}`;
    const details = `The draft \`${draft.id}\` is held ${held}. The signal \`finalizeInvoice\` issues it now.`;
    return { state: 'draft_held', until, details };
  }
  const { period_start, period_end, kind } = period!;
  if (now < start_date)
    return { state: 'waits_for_start', until: start_date, details: `Starts at ${start_date}.` };
  if (kind === 'trial')
    return { state: 'in_trial', until: period_end, details: `In trial until ${period_end}.` };
  if (kind === 'late') {
    const details = `The subscription has ended. Late usage reaches one last invoice at ${period_end}.`;
    return { state: 'collecting_late_usage', until: period_end, details };
  }
  const details = `Collecting usage of ${period_start} to ${period_end}; the invoice is drafted then.`;
  return { state: 'collecting_usage', until: period_end, details };
}

/** The open period; a trial that is over is closed first, as it makes no invoice. */
async function findUnendedPeriod(
  db: Db,
  key: SubscriptionKey,
  { subscription, settings }: { subscription: Subscription; settings: BillingSettings },
): Promise<StoredPeriod | null> {
  const period = await findOpenPeriod(db, key);
  if (period?.kind !== 'trial' || period.period_end > subscription.now) return period;
  await closePeriod(db, key, period, courseOf(subscription, settings));
  return findOpenPeriod(db, key);
}

type Draft = {
  id: string;
  period_start: string;
  period_end: string;
  usage_revision: number;
  /** Null: until somebody ends the hold. */
  held_until: string | null;
  due: boolean;
  /** Counted, but its credit is not shown yet: the workflow that was at it is gone. */
  unfinished: boolean;
};

async function findDraft(db: Db, key: SubscriptionKey, now: string): Promise<Draft | null> {
  const { rows } = await db.query<Draft>(
    `select id, period_start, period_end, usage_revision, nullif(hold_until, 'infinity') as held_until, hold_until <= $3 as due,
       credit_revision < usage_revision as unfinished
     from invoices where environment_id = $1 and subscription_id = $2 and status = 'draft'
     order by due desc, unfinished desc, period_start limit 1`,
    [key.environment_id, key.subscription_id, now],
  );
  return rows[0] ?? null;
}

async function lastInvoiceId(db: Db, key: SubscriptionKey): Promise<string | null> {
  const { rows } = await db.query<{ id: string }>(
    `select id from invoices where environment_id = $1 and subscription_id = $2 order by period_start desc, id desc limit 1`,
    [key.environment_id, key.subscription_id],
  );
  return rows[0]?.id ?? null;
}
