import { endAttempt, noteMailed, type AttemptEnd, type OpenAttemptRow } from '../db/collection/attempts.ts';
import { answeredCharges, findPlan, writePlan, type NewPlan, type PlanRow } from '../db/collection/plans.ts';
import type { Db } from '../db/connection/pool.ts';
import { endOf, isFirstOfRound, scheduleOf, type AnsweredCharge } from '../domain/collection/schedule.ts';
import { methodOf } from './planned.ts';

const OVER: NewPlan = { status: 'none', first_at: null, next_attempt_at: null };

/**
 * Ends an open attempt, and plans what comes next (billing.md 21). The caller holds the lock of the customer, under
 * which it has seen that the attempt is open.
 */
export async function endCharge(db: Db, attempt: OpenAttemptRow, end: AttemptEnd): Promise<void> {
  await endAttempt(db, attempt, end);
  const plan = (await findPlan(db, attempt))!;
  const charges = await answeredCharges(db, plan);
  if (attempt.by === 'person') return writePlan(db, plan, untouched(plan, charges));
  if (end.status === 'succeeded') return writePlan(db, plan, OVER);
  // Canceled before the provider answered.
  if (charges.at(-1)?.id !== attempt.id) return writePlan(db, plan, scheduled(plan, attempt.at));
  const next = nextPlan(plan, charges, attempt.is_processing ? plan.now : null);
  await writePlan(db, plan, next);
  const is_first = isFirstOfRound(charges, methodOf(plan));
  if (end.status !== 'canceled' && (is_first || next.status !== 'scheduled')) await noteMailed(db, attempt);
}

/** The plan as it was before an attempt of a person. */
function untouched(plan: PlanRow, charges: readonly AnsweredCharge[]): NewPlan {
  const { first_at, next_attempt_at } = plan;
  if (next_attempt_at !== null) return scheduled(plan, next_attempt_at);
  return { status: first_at === null ? 'none' : endOf(charges), first_at, next_attempt_at };
}

function nextPlan(plan: PlanRow, charges: readonly AnsweredCharge[], answered_at: string | null): NewPlan {
  const { first_at } = plan;
  // Its plan was over before it ended.
  if (first_at === null) return OVER;
  const schedule = scheduleOf({ ...plan, first_at, method: methodOf(plan), charges, answered_at });
  return 'ended' in schedule
    ? { status: schedule.ended, first_at, next_attempt_at: null }
    : scheduled(plan, schedule.charge_at);
}

function scheduled({ first_at }: PlanRow, next_attempt_at: string): NewPlan {
  return first_at === null ? OVER : { status: 'scheduled', first_at, next_attempt_at };
}
