/**
 * The moment of a billing read: everything visible in the snapshot, within the epoch of its cluster. Ids rise: of two
 * cut-offs of a subscription, the one with the greater id includes everything that the other includes.
 */
export type CutOff = { id: string; epoch: number; snapshot: string };

/**
 * Events of a charge that a line holds (billing.md 5): timestamp in [timestamp_from, timestamp_to), visible in cut-off
 * `up_to` but not in `after` (null: no earlier cut-off), and stored in [stored_from, stored_to), where null means no
 * bound.
 */
export type Span = {
  after: CutOff | null;
  up_to: CutOff;
  timestamp_from: string;
  timestamp_to: string;
  stored_from: string | null;
  stored_to: string | null;
};

/** The parts of the spans before an instant. */
export function spansBefore(spans: readonly Span[], instant: string): Span[] {
  return spans
    .filter((span) => span.timestamp_from < instant)
    .map((span) => (span.timestamp_to > instant ? { ...span, timestamp_to: instant } : span));
}

/** The part of `span` that no span of `held_spans` holds, as spans that do not overlap. */
export function withoutSpans(span: Span, held_spans: readonly Span[]): Span[] {
  let rest = [span];
  for (const held_span of held_spans) rest = rest.flatMap((part) => without(part, held_span));
  return rest;
}

/** Subtracts `held_span` from `span`, one dimension after the other: cut-offs, timestamps, time of storing. */
function without(span: Span, held_span: Span): Span[] {
  const common = overlapOf(span, held_span);
  if (common === null) return [span];
  const { after, up_to, timestamp_from, timestamp_to, stored_from, stored_to } = common;
  const rest: Span[] = [];
  if (after !== null && isLater(after, span.after)) rest.push({ ...span, up_to: after });
  if (isLater(span.up_to, up_to)) rest.push({ ...span, after: up_to });
  const sameCutOffs = { ...span, after, up_to };
  if (span.timestamp_from < timestamp_from) rest.push({ ...sameCutOffs, timestamp_to: timestamp_from });
  if (timestamp_to < span.timestamp_to) rest.push({ ...sameCutOffs, timestamp_from: timestamp_to });
  const sameTimes = { ...sameCutOffs, timestamp_from, timestamp_to };
  if (stored_from !== span.stored_from) rest.push({ ...sameTimes, stored_to: stored_from });
  if (stored_to !== span.stored_to) rest.push({ ...sameTimes, stored_from: stored_to });
  return rest;
}

/** The intersection of two spans; null if it is empty. */
function overlapOf(a: Span, b: Span): Span | null {
  const common: Span = {
    after: isLater(b.after, a.after) ? b.after : a.after,
    up_to: isLater(a.up_to, b.up_to) ? b.up_to : a.up_to,
    timestamp_from: a.timestamp_from > b.timestamp_from ? a.timestamp_from : b.timestamp_from,
    timestamp_to: a.timestamp_to < b.timestamp_to ? a.timestamp_to : b.timestamp_to,
    stored_from: (a.stored_from ?? '') > (b.stored_from ?? '') ? a.stored_from : b.stored_from,
    stored_to: (a.stored_to ?? END) < (b.stored_to ?? END) ? a.stored_to : b.stored_to,
  };
  const isEmpty =
    !isLater(common.up_to, common.after) ||
    common.timestamp_from >= common.timestamp_to ||
    (common.stored_from ?? '') >= (common.stored_to ?? END);
  return isEmpty ? null : common;
}

/** Sorts after every instant as text. */
const END = '~';

/** The one of two cut-offs of a subscription that includes the other; null sorts before every cut-off. */
export function laterCutOff(a: CutOff | null, b: CutOff): CutOff {
  return isLater(a, b) ? a! : b;
}

/** Null sorts before every cut-off. */
function isLater(a: CutOff | null, b: CutOff | null): boolean {
  if (a === null) return false;
  return b === null || BigInt(a.id) > BigInt(b.id);
}
