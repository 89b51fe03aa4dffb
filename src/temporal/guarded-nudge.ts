import type { Temporal } from './temporal.ts';
import { foreignNamespace } from './setup.ts';

const ASKED_INTERVAL_MS = 60_000;
const ASKED_AGAIN_MS = 2000;

/** Calls of Temporal that requests make. */
export type Nudges = Pick<Temporal, 'nudge' | 'wakeEndpoints' | 'wakeMigrations' | 'wakeCollections'>;

/**
 * Nudges that do nothing while the namespace belongs to another account: the workflows would run on the workers of that
 * account. Asks for the owner in the background, at once and then at most once a minute, so no request waits for the
 * answer. Until the first answer it nudges; a workflow that this starts in a foreign namespace ends at its first step.
 */
export function guardedNudges({
  temporal,
  findAccount,
  report,
}: {
  temporal: Nudges & Pick<Temporal, 'namespace' | 'owner'>;
  /** The id of the account of the database; null if it has none. */
  findAccount: () => Promise<string | null>;
  /** Receives a sentence each time that the owner turns out to be another account. */
  report: (sentence: string) => void;
}): Nudges {
  const { namespace } = temporal;
  let is_foreign = false;
  let asked_at = -Infinity;
  const ask = async () => {
    const [owner, account_id] = await Promise.all([temporal.owner(), findAccount()]);
    is_foreign = owner !== null && account_id !== null && owner !== account_id;
    if (is_foreign) report(foreignNamespace(namespace, owner!, account_id!));
  };
  const askUntilAnswered = () => {
    asked_at = performance.now();
    // Without an answer the last one stays.
    ask().catch(() => setTimeout(askUntilAnswered, ASKED_AGAIN_MS).unref());
  };
  const askAtIntervals = () => {
    if (performance.now() - asked_at >= ASKED_INTERVAL_MS) askUntilAnswered();
  };
  askAtIntervals();
  const guarded =
    <Sent extends unknown[]>(send: (...parameters: Sent) => Promise<number>) =>
    async (...parameters: Sent) => {
      askAtIntervals();
      return is_foreign ? 0 : send(...parameters);
    };
  return {
    nudge: guarded(temporal.nudge),
    wakeEndpoints: guarded(temporal.wakeEndpoints),
    wakeMigrations: guarded(temporal.wakeMigrations),
    wakeCollections: guarded(temporal.wakeCollections),
  };
}
