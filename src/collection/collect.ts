import { nextStep, type CollectionStep } from '../domain/collection/next-step.ts';
import { transaction, type Db, type Pool } from '../db/connection/pool.ts';
import {
  findOpenAttempt,
  noteConfirmed,
  noteEnding,
  setAttemptAmount,
  type OpenAttemptRow,
} from '../db/collection/attempts.ts';
import { lockCustomer } from '../db/customers/customers.ts';
import { failMethod } from '../db/collection/failing-method.ts';
import { noteProviderStatus } from '../db/collection/providers.ts';
import { closePages } from './close-pages.ts';
import type { ProviderOpener } from './opened.ts';
import { endCharge } from './end-charge.ts';
import { takeTurn, turnAfter, type PlanTurn } from './planned.ts';
import { prepare } from './prepare.ts';
import { ProviderError, refusalOf, type PaymentProvider, type ProviderIntent } from './provider.ts';
import { settle } from './settle.ts';

export type InvoiceKey = { environment_id: number; invoice_id: string };

/** End of an attempt, as the metric names it. */
type Outcome = 'succeeded' | 'declined' | 'action_required' | 'canceled';

/** The parts with which invoices are charged. */
export type Charger = {
  pool: Pool;
  providerOf: ProviderOpener;
  count: (outcome: Outcome) => void;
};

/**
 * State of an invoice: `idle` without an attempt and a plan; `waits_for_provider`: it did not answer, or refused the
 * key. `next_in_ms` is the time to the next turn of its plan; null where it goes by the provider, and without a plan.
 */
export type Collected = {
  state: 'processing' | 'waits_for_provider' | PlanTurn['state'];
  attempt_id: string | null;
  next_in_ms: number | null;
};

/** More steps of one call than any attempt needs. */
const STEPS_MAX = 20;

/**
 * Does the steps of the open attempt of an invoice, or of one that its plan begins now, until it ends or has to wait
 * (decision 69). May be repeated, killed at any point and run twice at once: rows and provider say what is next.
 */
export async function collectNext(charger: Charger, key: InvoiceKey): Promise<Collected> {
  const { pool } = charger;
  let attempt = await findOpenAttempt(pool, key);
  if (attempt === null) {
    const turn = await turnOf(charger, key);
    if (typeof turn === 'string') return { state: turn, attempt_id: null, next_in_ms: null };
    attempt = turn.state === 'charging' ? await findOpenAttempt(pool, key) : null;
    if (attempt === null) return { ...turn, attempt_id: null };
  }
  const { id: attempt_id } = attempt;
  const state = await charge(charger, attempt);
  if (state !== 'idle') return { state, attempt_id, next_in_ms: null };
  return { ...(await turnAfter(pool, key)), attempt_id };
}

/** Turn of a plan. A page is closed before a charge begins; `processing`: it was paid by a debit that takes days. */
async function turnOf(
  { pool, providerOf }: Charger,
  key: InvoiceKey,
): Promise<PlanTurn | 'processing' | 'waits_for_provider'> {
  const take = () => transaction(pool, (db) => takeTurn(db, key));
  const turn = await take();
  if (turn !== 'page_open') return turn;
  try {
    await closePages({ pool, providerOf }, key);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    return 'waits_for_provider';
  }
  const next = await take();
  return next === 'page_open' ? 'processing' : next;
}

async function charge(
  charger: Charger,
  attempt: OpenAttemptRow,
): Promise<'idle' | 'processing' | 'waits_for_provider'> {
  const opened = await charger.providerOf(attempt);
  if (opened === null) return 'waits_for_provider';
  try {
    const state = await goOn(charger, opened.provider, attempt);
    await noteProviderStatus(charger.pool, opened.access, null);
    return state;
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    await noteProviderStatus(charger.pool, opened.access, error.message);
    return 'waits_for_provider';
  }
}

async function goOn(
  { pool, count }: Charger,
  provider: PaymentProvider,
  attempt: OpenAttemptRow,
): Promise<'idle' | 'processing'> {
  let intent = await intentOf(provider, attempt);
  for (let steps = 0; steps < STEPS_MAX; steps++) {
    const decided = await transaction(pool, (db) => decide(db, attempt, intent));
    if (decided === null) return 'idle';
    const { step, attempt: now } = decided;
    switch (step.kind) {
      case 'read':
        intent = await intentOf(provider, now);
        break;
      case 'prepare':
        intent = await prepare({ pool, provider }, now, step.may_charge);
        if (intent === null) return 'idle';
        break;
      case 'wait':
        return 'processing';
      case 'settle':
        count('succeeded');
        return 'idle';
      case 'end':
        count(step.status);
        return 'idle';
      case 'set_amount':
      case 'confirm':
      case 'cancel':
        intent = await ask({ pool, provider }, now, step);
    }
  }
  throw new ProviderError('unreachable', `attempt ${attempt.id} does not come to an end`);
}

async function intentOf(
  provider: PaymentProvider,
  { provider_reference }: OpenAttemptRow,
): Promise<ProviderIntent | null> {
  return provider_reference === null ? null : provider.readIntent(provider_reference);
}

/** `read`: another process has given the attempt its intent. */
type Decided = { step: CollectionStep | { kind: 'read' }; attempt: OpenAttemptRow };

/**
 * Decides under the lock of the customer what an attempt does next, by what is due now, and stores it before the
 * provider is asked. Null if the attempt has ended.
 */
async function decide(
  db: Db,
  { id, environment_id, invoice_id, customer_id }: OpenAttemptRow,
  intent: ProviderIntent | null,
): Promise<Decided | null> {
  await lockCustomer(db, environment_id, customer_id);
  const attempt = await findOpenAttempt(db, { environment_id, invoice_id });
  if (attempt?.id !== id) return null;
  if (attempt.provider_reference !== (intent?.reference ?? null)) return { step: { kind: 'read' }, attempt };
  const step = nextStep(attempt, intent, attempt.due);
  await store(db, attempt, { step, intent });
  return { step, attempt };
}

async function store(
  db: Db,
  attempt: OpenAttemptRow,
  { step, intent }: { step: CollectionStep; intent: ProviderIntent | null },
): Promise<void> {
  switch (step.kind) {
    case 'prepare':
      return;
    case 'set_amount':
      return setAttemptAmount(db, attempt, step.amount);
    case 'confirm':
      return noteConfirmed(db, attempt, false);
    case 'wait':
      return noteConfirmed(db, attempt, true);
    case 'cancel': {
      const { ends_as, decline } = step;
      const again = decline?.again ?? null;
      if (again === 'never') await failMethod(db, attempt);
      return noteEnding(db, attempt, { ends_as, decline_code: decline?.code ?? null, again });
    }
    case 'settle':
      return settle(db, attempt, intent!);
    case 'end':
      return endCharge(db, attempt, { status: step.status, decline_code: null });
  }
}

type Asked = Extract<CollectionStep, { kind: 'set_amount' | 'confirm' | 'cancel' }>;

/**
 * Asks the provider for a step that is stored; the intent afterwards. A refusal is often news of the intent, which is
 * read then. One that stays unconfirmed although it was to be confirmed, or cannot get its amount, ends the attempt.
 */
async function ask(
  { pool, provider }: { pool: Pool; provider: PaymentProvider },
  attempt: OpenAttemptRow,
  step: Asked,
): Promise<ProviderIntent> {
  const reference = attempt.provider_reference!;
  const answer = await call(provider, { reference, currency: attempt.currency }, step).catch(refusalOf);
  const [refusal, intent] =
    typeof answer === 'string' ? [answer, await provider.readIntent(reference)] : [null, answer];
  const is_refused = step.kind === 'confirm' || (step.kind === 'set_amount' && refusal !== null);
  if (intent.status === 'unconfirmed' && is_refused)
    await noteEnding(pool, attempt, {
      ends_as: 'declined',
      decline_code: refusal ?? 'not_confirmed',
      again: 'by_schedule',
    });
  return intent;
}

async function call(
  provider: PaymentProvider,
  { reference, currency }: { reference: string; currency: string },
  step: Asked,
): Promise<ProviderIntent> {
  switch (step.kind) {
    case 'set_amount':
      return provider.setIntentAmount(reference, { amount: step.amount, currency });
    case 'confirm':
      return provider.confirmIntent(reference);
    case 'cancel':
      return provider.cancelIntent(reference);
  }
}
