import * as workflow from '@temporalio/workflow';
import type { BillingActivities } from '../activities/index.ts';
import {
  advanceClock,
  finalizeInvoice,
  generateNow,
  NOT_NEXT,
  regenerateInvoice,
  takeTurn,
  wake,
  type SubscriptionInput,
} from './messages.ts';
import { showForeseen, showStep } from './appearance.ts';
import { activities, runStep } from './steps.ts';

type Step = Awaited<ReturnType<BillingActivities['nextStep']>>;
type Billing = Omit<Extract<Step['action'], { kind: 'bill' }>, 'kind'>;

/**
 * The next step according to the rows, and the workflow's clock when it was read. That clock stands still while a local activity runs,
 * so the next run measures from its own start instead: it may bill late by moments, never before the rows say so.
 */
type KnownStep = { step: Step; at_ms: number };

/**
 * The life of one subscription, one run per billing period. It loops: read the next step from the rows, execute it, wait. The answer of a
 * wait says what comes then, and the last billing step says what comes next, so that a close is three activities (decision 31). A
 * subscription that starts in the past is caught up within one run. The workflow never fails: a step that cannot be billed parks
 * the subscription until `wake`. `known_step` is the last step read by the previous run; it is valid until a signal arrives.
 */
export async function subscriptionWorkflow(input: SubscriptionInput, known_step?: KnownStep): Promise<void> {
  const signals = receiveSignals();
  let billed_in_this_run = false;
  let next = known_step && { ...known_step, at_ms: Math.max(known_step.at_ms, startOfRunMs()) };
  // The first question of a subscription is a regular activity, which ends the first workflow task soon. A signal that arrives during a
  // task with local steps lets them run again, and signals are frequent at the start.
  let is_local = known_step !== undefined;
  for (;;) {
    if (signals.arrived()) next = undefined;
    await serveSignals(input, signals);
    const known: KnownStep = next ?? (await readNextStep(input, signals, is_local));
    next = undefined;
    is_local = true;
    const { step, at_ms } = known;
    showStep(step);
    const { action } = step;
    if (action.kind === 'end') {
      if (signals.arrived()) continue;
      return;
    }
    const period_is_over = action.kind === 'wait' && billed_in_this_run && !action.more_soon;
    if (!signals.arrived() && (period_is_over || workflow.workflowInfo().continueAsNewSuggested)) {
      return workflow.continueAsNew<typeof subscriptionWorkflow>(input, known);
    }
    if (action.kind === 'bill') next = await bill(input, { ...action, foreseen: false });
    else if (action.kind === 'regenerate') await regenerate({ ...input, ...action });
    else {
      await waitFor(signals.arrived, { ...action, state: step.state, at_ms });
      const { then } = action;
      if (then && !signals.arrived()) {
        showForeseen(step, then);
        billed_in_this_run = true;
        next = await bill(input, { ...then, foreseen: true });
      }
    }
    billed_in_this_run ||= action.kind === 'bill';
  }
}

/**
 * The time when the previous run started this one. Documented as the start of the chain, and for a run that continues one it is the run's
 * own.
 */
const startOfRunMs = () => workflow.workflowInfo().startTime.getTime();

async function readNextStep(
  input: SubscriptionInput,
  { takeWoken }: ReturnType<typeof receiveSignals>,
  is_local: boolean,
): Promise<KnownStep> {
  const question = { ...input, woken: takeWoken() };
  const step = await runStep('nextStep', question, { summary: 'find the next step', is_local });
  return { step, at_ms: Date.now() };
}

/**
 * Collects what signals ask for until the loop takes it. Take before reading the rows: a signal that arrives during the read then
 * stays pending and is not lost.
 */
function receiveSignals() {
  let woken = false;
  let nudged = false;
  let generating = false;
  const finalized = new Set<string>();
  const replaced = new Set<string>();
  workflow.setHandler(wake, () => void (woken = true), {
    description: 'Check now what the subscription does next. Retries a subscription that needs attention.',
  });
  workflow.setHandler(advanceClock, () => void (nudged = true), {
    description: "The customer's test clock was advanced: bill the periods that have ended.",
  });
  workflow.setHandler(takeTurn, () => void (nudged = true), {
    description:
      'An earlier period of another subscription of the customer is billed: continue with this one.',
  });
  // An operator may send any value: an argument that is not text must not stop the workflow.
  workflow.setHandler(finalizeInvoice, (invoice_id) => void finalized.add(`${invoice_id}`), {
    description: 'End the hold of a draft and issue the invoice now. Input: the invoice id, as "inv_...".',
  });
  workflow.setHandler(generateNow, () => void (generating = true), {
    description: 'Bill every ended period that has no invoice or only void invoices, now and without a hold.',
  });
  workflow.setHandler(
    regenerateInvoice,
    (id) => {
      // The API stores its request as a row; the signal only announces the row.
      if (`${id}`.startsWith('reg_')) nudged = true;
      else replaced.add(`${id}`);
    },
    { description: 'Void an invoice and bill its period again. Input: the invoice id, as "inv_...".' },
  );
  return {
    arrived: () => woken || nudged || generating || finalized.size > 0 || replaced.size > 0,
    takeFinalized: () => taken(finalized),
    takeReplaced: () => taken(replaced),
    takeGenerating: () => {
      const wasAsked = generating;
      generating = false;
      return wasAsked;
    },
    takeWoken: () => {
      const wasWoken = woken;
      woken = false;
      nudged = false;
      return wasWoken;
    },
  };
}

function taken(ids: Set<string>): string[] {
  const all = [...ids];
  ids.clear();
  return all;
}

/** Serves signals that a person sent in the Temporal UI. A refusal shows as the activity's result or parks the subscription. */
async function serveSignals(
  input: SubscriptionInput,
  signals: ReturnType<typeof receiveSignals>,
): Promise<void> {
  for (const invoice_id of signals.takeFinalized())
    await parkOnFailure(input, () => releaseDraft({ ...input, invoice_id }));
  for (const invoice_id of signals.takeReplaced()) await requestRegeneration({ ...input, invoice_id });
  if (signals.takeGenerating()) await parkOnFailure(input, () => generateInvoices(input));
}

type OfInvoice = SubscriptionInput & { invoice_id: string };

async function releaseDraft(draft: OfInvoice): Promise<void> {
  await activities.releaseDraft.executeWithOptions({ summary: `end the hold of ${idOf(draft)}` }, [draft]);
}

async function requestRegeneration(invoice: OfInvoice): Promise<void> {
  const summary = `request regeneration of ${idOf(invoice)}`;
  await activities.requestRegeneration.executeWithOptions({ summary }, [invoice]);
}

async function regenerate(request: OfInvoice & { regeneration_id: string }): Promise<void> {
  await activities.regenerateInvoice.executeWithOptions({ summary: `regenerate ${idOf(request)}` }, [
    request,
  ]);
}

async function generateInvoices(input: SubscriptionInput): Promise<void> {
  await activities.generateInvoices.executeWithOptions({ summary: 'bill periods without an invoice' }, [
    input,
  ]);
}

const ID_LENGTH_MAX = 60;

/** Temporal limits a summary to 200 bytes, and an operator may send an id of any length. */
function idOf({ invoice_id }: OfInvoice): string {
  return invoice_id.slice(0, ID_LENGTH_MAX);
}

/** `foreseen`: the rows were not asked since the wait began. */
type BillStep = Billing & { foreseen: boolean };

/** Bills a period. Returns the step after it; undefined if the rows must be asked, as after a failure that parks the subscription. */
async function bill(input: SubscriptionInput, step: BillStep): Promise<KnownStep | undefined> {
  let next: Step | undefined;
  await parkOnFailure(input, async () => void (next = await billPeriod(input, step)));
  return next && { step: next, at_ms: Date.now() };
}

/** The three steps of an invoice. A draft held for late events stops before the third. The last one answers with the next step. */
async function billPeriod(input: SubscriptionInput, asked: BillStep): Promise<Step | undefined> {
  const { period_start, period_end, revision, issue, is_heavy, foreseen } = asked;
  const step = { ...input, period_start, revision, issue, foreseen };
  const how = (summary: string) => ({
    summary: `${summary} ${period_end.slice(0, 10)}`,
    is_local: is_heavy !== true,
  });
  if ((await runStep('aggregateUsage', step, how('usage until'))) === NOT_NEXT) return undefined;
  const next = await runStep('applyCredits', step, how('credit until'));
  return issue ? runStep('issueInvoice', step, how('invoice of')) : next;
}

/** Parks the subscription for a person if no retry can fix the failure; the workflow goes on and waits for `wake`. */
async function parkOnFailure(input: SubscriptionInput, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof workflow.TemporalFailure) || workflow.isCancellation(error)) throw error;
    const reason = workflow.rootCause(error) ?? 'a billing step failed without an error message';
    const summary = 'mark as needing attention';
    await activities.parkSubscription.executeWithOptions({ summary }, [{ ...input, reason }]);
  }
}

async function waitFor(
  arrived: () => boolean,
  wait: { wait_ms: number | null; until: string | null; state: string; at_ms: number },
): Promise<void> {
  const { wait_ms, until, state, at_ms } = wait;
  if (wait_ms === null) return workflow.condition(arrived);
  // With no worker running, a run may begin long after the previous run read its step: subtract that time.
  const left_ms = Math.max(1, wait_ms - (Date.now() - at_ms));
  await workflow.condition(arrived, left_ms, { summary: `${state.replaceAll('_', ' ')} until ${until}` });
}
