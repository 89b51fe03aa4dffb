import { answeredCharges, findPlan, writePlan, type PlanKey, type PlanRow } from '../db/collection/plans.ts';
import type { Db } from '../db/connection/pool.ts';
import { lockCustomer } from '../db/customers/customers.ts';
import { isChargeable } from '../domain/collection/minor-amount.ts';
import {
  beginsAt,
  endOf,
  roundOf,
  scheduleOf,
  type AnsweredCharge,
  type DefaultMethod,
} from '../domain/collection/schedule.ts';
import { beginPlannedCharge } from './charge.ts';

/**
 * State of a plan after its turn, and the time to its next one; null: it has none until something changes. `charging`:
 * an attempt is open.
 */
export type PlanTurn = { state: 'idle' | 'scheduled' | 'paused' | 'charging'; next_in_ms: number | null };

const IDLE: PlanTurn = { state: 'idle', next_in_ms: null };
const CHARGING: PlanTurn = { state: 'charging', next_in_ms: 1 };

/** Longest wait for a turn, so that a clock that goes wrong delays no plan by more. */
const LONGEST_WAIT_MS = 86_400_000;

/**
 * Gives the plan of an invoice its turn: begins its charge if the time has come, once, also if two do so at the same
 * time. A plan without a method or an amount ends, and one that has ended begins again with a new default method.
 * `page_open`: the page on which the invoice is paid is in the way.
 */
export async function takeTurn(db: Db, key: PlanKey): Promise<PlanTurn | 'page_open'> {
  const before = await findPlan(db, key);
  if (before === null) return IDLE;
  await lockCustomer(db, key.environment_id, before.customer_id);
  // Again under the lock: it may have been charged meanwhile.
  const plan = (await findPlan(db, key))!;
  if (plan.is_charged) return CHARGING;
  if (plan.first_at === null) return IDLE;
  if (plan.due === null) return restOf(db, plan);
  const charges = await answeredCharges(db, key);
  const planned_at = plan.next_attempt_at ?? resumedAt(plan, plan.first_at, charges);
  if (planned_at === null) return IDLE;
  if (plan.next_attempt_at === null)
    await writePlan(db, plan, { ...plan, status: 'scheduled', next_attempt_at: planned_at });
  return turnOf(db, plan, { planned_at, charges });
}

/** Rest of a plan of which nothing is due: until its time, when it is over. */
async function restOf(db: Db, plan: PlanRow): Promise<PlanTurn> {
  const { next_attempt_at, is_void, now } = plan;
  if (is_void || next_attempt_at === null || next_attempt_at <= now) return endPlan(db, plan, 'over');
  return { state: 'scheduled', next_in_ms: waitMs(plan, next_attempt_at) };
}

/** Reads when the plan of an invoice has its next turn, after an attempt. */
export async function turnAfter(db: Db, key: PlanKey): Promise<PlanTurn> {
  const plan = await findPlan(db, key);
  if (plan === null) return IDLE;
  const { next_attempt_at, is_charged, due } = plan;
  if (is_charged) return CHARGING;
  if (plan.first_at !== null && due === null) return { state: 'scheduled', next_in_ms: 1 };
  if (next_attempt_at === null) return IDLE;
  return { state: 'scheduled', next_in_ms: waitMs(plan, next_attempt_at) };
}

async function turnOf(
  db: Db,
  plan: PlanRow,
  { planned_at, charges }: { planned_at: string; charges: readonly AnsweredCharge[] },
): Promise<PlanTurn | 'page_open'> {
  const { now, due, currency } = plan;
  const is_time = planned_at <= now;
  if (is_time && !plan.is_automatic) return endPlan(db, plan, 'over');
  if (plan.is_paused) return { state: 'paused', next_in_ms: waitMs(plan, plan.pause_ends_at) };
  const method = methodOf(plan);
  const begins_at = is_time
    ? beginsAt({ ...plan, planned_at, method_since: method?.since ?? null })
    : planned_at;
  if (begins_at > now) {
    // Held up by a pause, or late: what the invoice shows is when it is charged.
    if (begins_at !== planned_at)
      await writePlan(db, plan, { ...plan, status: 'scheduled', next_attempt_at: begins_at });
    return { state: 'scheduled', next_in_ms: waitMs(plan, begins_at) };
  }
  if (method === null) return endPlan(db, plan, endOf(charges));
  if (due === null || !isChargeable(due, currency)) return endPlan(db, plan, 'none');
  if (plan.has_open_page) return 'page_open';
  await beginPlannedCharge(db, plan, begins_at);
  return CHARGING;
}

/** Instant at which a plan that has ended goes on, with a default method that was not charged; null if it does not. */
function resumedAt(plan: PlanRow, first_at: string, charges: readonly AnsweredCharge[]): string | null {
  const method = methodOf(plan);
  if (method === null || roundOf(charges, method).length > 0) return null;
  if (plan.due === null || !isChargeable(plan.due, plan.currency)) return null;
  const schedule = scheduleOf({ ...plan, first_at, method, charges, answered_at: null });
  return 'ended' in schedule ? null : schedule.charge_at;
}

/** Ends a plan, for good where it is `over`. */
async function endPlan(
  db: Db,
  plan: PlanRow,
  end: 'over' | 'none' | 'exhausted' | 'action_required',
): Promise<PlanTurn> {
  const status = end === 'over' ? 'none' : end;
  const first_at = end === 'over' ? null : plan.first_at;
  await writePlan(db, plan, { status, first_at, next_attempt_at: null });
  return IDLE;
}

/** Time to an instant of the customer, at most a day; a test clock that moves ends the wait. */
function waitMs({ now }: Pick<PlanRow, 'now'>, at: string | null): number {
  const ms = at === null ? LONGEST_WAIT_MS : Date.parse(at) - Date.parse(now);
  return Math.min(Math.max(ms, 1), LONGEST_WAIT_MS);
}

/** The default method of a plan that may be charged; null without one. */
export function methodOf({ method_id, method_since }: PlanRow): DefaultMethod | null {
  return method_id === null || method_since === null ? null : { id: method_id, since: method_since };
}
