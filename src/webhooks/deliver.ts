import { setTimeout as pause } from 'node:timers/promises';
import { readBounds } from '../db/feed/feed.ts';
import { noteSleep, type EndpointKey, type Target } from '../db/webhooks/endpoints.ts';
import { readWork, type DueDelivery, type Work } from '../db/webhooks/work.ts';
import type { WebhookStatus } from '../domain/feed/webhook.ts';
import { secretsOf } from './endpoint-secrets.ts';
import type { Newest } from './newest.ts';
import { takeNext } from './place.ts';
import type { Sender } from './sender.ts';
import { park, tryDelivery, type Outcome, type Recipient } from './try.ts';

/** Objects whose changes are sent at the same time. */
const OBJECTS_AT_ONCE = 8;
/** Deliveries that wait in memory for a place: few, so that a pause is soon noticed. */
const WAITING_MAX = 16;
const LOOK_MS = 250;
/** A person may have made a delivery due meanwhile. */
const DUE_FRESH_MS = 5000;

export type DeliverDeps = Sender & {
  newest: Newest;
  /** Receives the outcome of each try. */
  count: (outcome: Outcome) => void;
  /** The process ends soon: nothing more is begun. */
  stopping: AbortSignal;
};

/**
 * How an endpoint is left. `wait_ms` is the time until its next delivery is due: 0 to go on at once, null to wait for a
 * signal. `is_idle` if nothing was sent.
 */
export type Delivered = {
  state: 'delivering' | 'failing' | 'asleep' | 'deleted' | Exclude<WebhookStatus, 'active'>;
  reason: string | null;
  wait_ms: number | null;
  is_idle: boolean;
};

/** The tries that run, by object, and the first error that is none of a receiver. */
type Running = { of_object: Map<string, Promise<void>>; error: unknown };

/**
 * Sends the changes of an endpoint for `active_ms`, in the order of each object, eight objects at a time, and waits
 * there for new ones. With `may_sleep`, ends as soon as there are none: the endpoint sleeps until a signal. Safe to run
 * twice: a receiver may get a change twice.
 */
export async function deliverChanges(
  deps: DeliverDeps,
  key: EndpointKey,
  limits: { active_ms: number; may_sleep: boolean; signal: AbortSignal },
): Promise<Delivered> {
  const running: Running = { of_object: new Map(), error: null };
  try {
    return await deliverUntil(deps, key, {
      ...limits,
      running,
      ends_at: performance.now() + limits.active_ms,
    });
  } finally {
    await Promise.all(running.of_object.values());
  }
}

type Limits = { may_sleep: boolean; signal: AbortSignal; running: Running; ends_at: number };

async function deliverUntil(deps: DeliverDeps, key: EndpointKey, limits: Limits): Promise<Delivered> {
  const { signal, running, ends_at } = limits;
  for (let is_idle = true; ;) {
    signal.throwIfAborted();
    if (running.error !== null) throw running.error;
    // Asked before what is due: an object whose try ends meanwhile may have more.
    const [busy, sending] = [[...running.of_object.keys()], [...running.of_object.values()]];
    const work = await readWork(deps.pool, key, { at: deps.now(), busy, limit: WAITING_MAX });
    if (work?.is_asleep === true) await noteSleep(deps.pool, key, false);
    if (work?.status !== 'active') return { ...endOf(work), is_idle };
    if (performance.now() > ends_at || deps.stopping.aborted)
      return { state: 'delivering', reason: null, wait_ms: 0, is_idle };
    const secrets = await secretsOf(deps, work);
    if (secrets === null) {
      await park(deps, work, 'its secret cannot be read with TIDEMARK_SECRET: rotate it, then resume');
      continue;
    }
    const begun = await sendDue(deps, { target: work, secrets }, { ...limits, work });
    if (begun.length > 0) is_idle = false;
    else if (await takeNext(deps, work, deps.now())) continue;
    // There may be more to take while those are sent.
    if (begun.length > 0 && work.newest_sequence > work.taken_up_to) continue;
    if (begun.length + sending.length > 0) await Promise.race([...sending, ...begun, pause(LOOK_MS)]);
    else {
      const rest = await restOf(deps, work, limits);
      if (rest !== null) return { ...rest, is_idle };
    }
  }
}

/** The end of the work for an endpoint that takes nothing. */
function endOf(target: Target | null): Omit<Delivered, 'is_idle'> {
  if (target === null || target.status === 'active') return { state: 'deleted', reason: null, wait_ms: null };
  return { state: target.status, reason: target.status_reason, wait_ms: null };
}

/** Begins the deliveries that are due, each once there is a place for it. Returns their tries. */
async function sendDue(
  deps: DeliverDeps,
  recipient: Recipient,
  { work, running, signal }: Pick<Limits, 'running' | 'signal'> & { work: Work },
): Promise<Promise<void>[]> {
  const { of_object } = running;
  const places = work.is_down ? 1 : OBJECTS_AT_ONCE;
  const begun: Promise<void>[] = [];
  if (of_object.size >= places) return begun;
  for (const delivery of work.due) {
    while (of_object.size >= places) await Promise.race(of_object.values());
    if (signal.aborted || deps.stopping.aborted || running.error !== null) break;
    const sending = sendOne(deps, recipient, { delivery, running, signal });
    of_object.set(delivery.object_id, sending);
    begun.push(sending);
  }
  return begun;
}

async function sendOne(
  deps: DeliverDeps,
  recipient: Recipient,
  { delivery, running, signal }: { delivery: DueDelivery; running: Running; signal: AbortSignal },
): Promise<void> {
  try {
    deps.count(await tryDelivery(deps, recipient, { due: delivery, at: deps.now(), signal }));
  } catch (error) {
    running.error ??= error;
  } finally {
    running.of_object.delete(delivery.object_id);
  }
}

/** How an endpoint with nothing to send is left; null if it goes on, because something has come or may come soon. */
async function restOf(
  deps: DeliverDeps,
  work: Work,
  limits: Limits,
): Promise<Omit<Delivered, 'is_idle'> | null> {
  const { next_due_at: due_at, is_down } = work;
  const wait_ms = due_at === null ? null : Date.parse(due_at) - deps.now().getTime();
  if (wait_ms !== null && wait_ms <= 0) return null;
  const rest = { reason: null, wait_ms };
  if (is_down && due_at !== null) return { state: 'failing', ...rest };
  if (limits.may_sleep && (await fallsAsleep(deps, work)))
    return { state: due_at === null ? 'asleep' : 'failing', ...rest };
  await untilNews(deps, work, { ...limits, due_at });
  return null;
}

/** Notes that the endpoint sleeps; false if a change has come before the publisher could see that. */
async function fallsAsleep(
  { pool }: DeliverDeps,
  { environment_id, id, taken_up_to }: Target,
): Promise<boolean> {
  const key = { environment_id, endpoint_id: id };
  await noteSleep(pool, key, true);
  const { newest_sequence } = await readBounds(pool, environment_id);
  if (newest_sequence <= taken_up_to) return true;
  await noteSleep(pool, key, false);
  return false;
}

/** Waits for a change, for the next delivery that is due, or for a moment in which a person may have made one due. */
async function untilNews(
  deps: DeliverDeps,
  { environment_id, taken_up_to }: Target,
  { due_at, ends_at, signal }: Pick<Limits, 'ends_at' | 'signal'> & { due_at: string | null },
): Promise<void> {
  const looks_until = Math.min(performance.now() + DUE_FRESH_MS, ends_at);
  const due_ms = due_at === null ? Infinity : Date.parse(due_at);
  const stopped = AbortSignal.any([signal, deps.stopping]);
  do {
    await pause(LOOK_MS, undefined, { signal: stopped }).catch(() => undefined);
    if (stopped.aborted) return;
    if ((await deps.newest(environment_id)) > taken_up_to) return;
  } while (performance.now() < looks_until && deps.now().getTime() < due_ms);
}
