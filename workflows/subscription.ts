import * as workflow from '@temporalio/workflow';
import {
  advanceClock,
  finalizeInvoice,
  generateNow,
  regenerateInvoice,
  takeTurn,
  wake,
  WORKFLOW_TASK_TIMEOUT,
  type SubscriptionInput,
} from './messages.ts';
import { showAnswer, type Bill, type Shown } from './appearance.ts';
import { activities, billNext, type Answer } from './steps.ts';

type Action = Shown['step']['action'];
type Billing = Extract<Action, { kind: 'bill' }>;

/**
 * A run has seven events for each period: it goes on for several, because a new run costs Temporal more than a period.
 */
const EVENTS_OF_RUN_MAX = 60;
/** A wait ends the workflow task of a subscription that is caught up, so that no task is long. */
const PERIODS_A_TASK = 10;

/**
 * The life of one subscription. It loops: serve what signals ask for, bill what is due and find the next step
 * (`billNext`), show it, wait. A subscription that starts in the past is caught up in the same loop. The workflow never
 * fails: a period that cannot be billed parks the subscription until `wake`. A run continues as a new one when a wait
 * has ended, before anything is done: a signal makes Temporal refuse a task that ends so, and the task then repeats
 * nothing. `bill_before` is the last bill of the runs before, to show.
 */
export async function subscriptionWorkflow(
  input: SubscriptionInput,
  bill_before: Bill | null = null,
): Promise<void> {
  const signals = receiveSignals();
  let code_of_run: number | null = null;
  let last_bill = bill_before;
  for (let billed_in_a_row = 0; ;) {
    await serveSignals(input, signals);
    const { step, billed, workflow_code } = await nextOf(input, signals.takeRetry());
    code_of_run ??= workflow_code;
    last_bill = billed ?? last_bill;
    showAnswer({ step, last_bill });
    const { action } = step;
    billed_in_a_row = billed === null ? 0 : billed_in_a_row + 1;
    if (action.kind === 'end') {
      // A task that bills and ends the run would bill again if a signal made Temporal refuse it.
      if (billed !== null) await workflow.sleep(1);
      if (!signals.arrived()) return;
    } else if (action.kind === 'regenerate') await regenerate({ ...input, ...action });
    else if (action.kind === 'bill') {
      if (billed === null) last_bill = (await billBySteps(input, action)) ?? last_bill;
      else if (billed_in_a_row % PERIODS_A_TASK === 0) await workflow.sleep(1);
    } else {
      await waitFor(signals.arrived, { ...action, state: step.state });
      const is_old = code_of_run !== null && workflow_code !== null && workflow_code > code_of_run;
      if ((is_old || isLong()) && signals.areNudges()) await continueAsNew(input, last_bill);
    }
  }
}

function isLong(): boolean {
  const { historyLength, continueAsNewSuggested } = workflow.workflowInfo();
  return historyLength >= EVENTS_OF_RUN_MAX || continueAsNewSuggested;
}

const continueAsNew = workflow.makeContinueAsNewFunc<typeof subscriptionWorkflow>({
  workflowTaskTimeout: WORKFLOW_TASK_TIMEOUT,
});

type Next = Pick<Answer, 'step' | 'billed'> & { workflow_code: number | null };

/** Bills what is due and finds the next step, or finds it alone, by a regular activity, where billing it failed. */
async function nextOf(input: SubscriptionInput, retries_now: boolean): Promise<Next> {
  let answer: Answer | null = null;
  const is_parked = await parkOnFailure(
    input,
    async () => void (answer = await billNext({ ...input, retries_now })),
  );
  if (answer !== null) return answer;
  // One signal `wake` is one try: a subscription that has just been parked stays so.
  const summary = 'find the next step';
  const step = await activities.nextStep.executeWithOptions({ summary }, [
    { ...input, retries_now: retries_now && !is_parked },
  ]);
  return { step, billed: null, workflow_code: null };
}

/**
 * Collects what signals ask for until the loop takes it. Take before reading the rows: a signal that arrives during the
 * read then stays pending and is not lost.
 */
function receiveSignals() {
  let retries_now = false;
  let nudged = false;
  let generating = false;
  const finalized = new Set<string>();
  const replaced = new Set<string>();
  workflow.setHandler(wake, () => void (retries_now = true), {
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
    arrived: () => retries_now || nudged || generating || finalized.size > 0 || replaced.size > 0,
    /** True if nothing but a nudge has come, which a new run needs not know: it asks for its next step at once. */
    areNudges: () => !retries_now && !generating && finalized.size + replaced.size === 0,
    takeFinalized: () => takeAll(finalized),
    takeReplaced: () => takeAll(replaced),
    takeGenerating: () => {
      const wasAsked = generating;
      generating = false;
      return wasAsked;
    },
    takeRetry: () => {
      const was_asked = retries_now;
      retries_now = false;
      nudged = false;
      return was_asked;
    },
  };
}

function takeAll(ids: Set<string>): string[] {
  const all = [...ids];
  ids.clear();
  return all;
}

/**
 * Serves signals that a person sent in the Temporal UI. A refusal shows as the activity's result or parks the
 * subscription.
 */
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

/**
 * Bills a period by regular activities, which Pending Activities shows: a heavy one, or one that failed as a local
 * activity. Returns the bill to show; null if it failed.
 */
async function billBySteps(
  input: SubscriptionInput,
  { period_start, period_end, revision, issue }: Billing,
): Promise<Bill | null> {
  const step = { ...input, period_start, revision };
  const day = period_end.slice(0, 10);
  let bill: Bill | null = null;
  await parkOnFailure(input, async () => {
    const counted = { summary: `usage until ${day}` };
    const invoice_id = await activities.aggregateUsage.executeWithOptions(counted, [step]);
    await activities.applyCredits.executeWithOptions({ summary: `credit until ${day}` }, [step]);
    if (issue) await activities.issueInvoice.executeWithOptions({ summary: `invoice of ${day}` }, [step]);
    bill = {
      period_start,
      period_end,
      aggregateUsage: { invoice_id },
      applyCredits: {},
      issueInvoice: issue ? {} : null,
    };
  });
  return bill;
}

/**
 * Parks the subscription for a person if no retry can fix the failure, and returns whether it did; the workflow goes on
 * and waits for `wake`.
 */
async function parkOnFailure(input: SubscriptionInput, work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    return false;
  } catch (error) {
    if (!(error instanceof workflow.TemporalFailure) || workflow.isCancellation(error)) throw error;
    const reason = workflow.rootCause(error) ?? 'a billing step failed without an error message';
    const summary = 'mark as needing attention';
    await activities.parkSubscription.executeWithOptions({ summary }, [{ ...input, reason }]);
    return true;
  }
}

async function waitFor(
  arrived: () => boolean,
  { wait_ms, until, state }: { wait_ms: number | null; until: string | null; state: string },
): Promise<void> {
  if (wait_ms === null) return workflow.condition(arrived);
  await workflow.condition(arrived, wait_ms, { summary: `${state.replaceAll('_', ' ')} until ${until}` });
}
