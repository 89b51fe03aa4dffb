import type { CollectionPause } from '../../api/objects.ts';

type Reason = CollectionPause['reason'];

const REASONS: Readonly<Record<Reason, string>> = {
  disputed: 'Disputed',
  promised: 'Payment promised',
  other: 'Another reason',
};

/** The reasons of pauses, as options of a field. */
export const REASON_OPTIONS = Object.entries(REASONS).map(([value, label]) => ({ value, label }));

/** Why collection is paused, and its last day: "Payment promised, until 2026-03-10". */
export function pauseInWords({ reason, until }: Pick<CollectionPause, 'reason' | 'until'>): string {
  return until === null ? REASONS[reason] : `${REASONS[reason]}, until ${until}`;
}
