import { words } from './values.tsx';

type Tone = 'good' | 'waiting' | 'attention' | 'ended' | 'plain';

/** Appearance of each status of the API. The word always shows; shape and colour only help. */
const TONES: Readonly<Record<string, Tone>> = {
  active: 'good',
  added: 'attention',
  billed: 'good',
  booked: 'good',
  done: 'good',
  invoiced: 'good',
  issued: 'good',
  matched: 'good',
  paid: 'good',
  delivered: 'good',
  sent: 'good',
  succeeded: 'good',
  won: 'good',
  changed: 'attention',
  removed: 'attention',
  billing_now: 'waiting',
  booking: 'waiting',
  draft: 'waiting',
  open: 'waiting',
  partial: 'waiting',
  partially_paid: 'waiting',
  paused: 'waiting',
  pending: 'waiting',
  processing: 'waiting',
  queued: 'waiting',
  running: 'waiting',
  trial: 'waiting',
  trialing: 'waiting',
  action_required: 'attention',
  ambiguous: 'attention',
  declined: 'attention',
  failed: 'attention',
  failing: 'attention',
  inquiry: 'attention',
  lost: 'ended',
  late: 'attention',
  needs_attention: 'attention',
  overdue: 'attention',
  parked: 'attention',
  refused: 'attention',
  too_late: 'attention',
  unmatched: 'attention',
  unpaid: 'attention',
  unrated: 'attention',
  archived: 'ended',
  canceled: 'ended',
  credited_in_full: 'ended',
  depleted: 'ended',
  ended: 'ended',
  expired: 'ended',
  ignored: 'ended',
  reversed: 'ended',
  revoked: 'ended',
  skipped: 'ended',
  stopped: 'ended',
  taken_back: 'ended',
  void: 'ended',
  voided: 'ended',
};

const SHAPES: Readonly<Record<Tone, string>> = {
  good: 'M6 1a5 5 0 1 0 0 10A5 5 0 0 0 6 1z',
  waiting: 'M6 1a5 5 0 1 0 0 10A5 5 0 0 0 6 1zm0 2v6a3 3 0 0 1 0-6z',
  attention: 'M6 1 11.5 11H.5z',
  ended: 'M2 3.2 3.2 2 6 4.8 8.8 2 10 3.2 7.2 6 10 8.8 8.8 10 6 7.2 3.2 10 2 8.8 4.8 6z',
  plain: 'M2 2h8v8H2z',
};

/** A status in words, after a shape for its tone. */
export function Badge({ status }: { status: string }) {
  const tone = TONES[status] ?? 'plain';
  return (
    <span class={`badge badge-${tone}`}>
      <svg viewBox="0 0 12 12" aria-hidden="true">
        <path d={SHAPES[tone]} fill-rule="evenodd" />
      </svg>
      {words(status)}
    </span>
  );
}
