/** Rules of billing.md that the product is still to follow: lives leave them out, tests of the model do not. */

export type Rule = 'owed' | 'oldest first' | 'proration' | 'share' | 'billed end';

const UNBUILT: readonly Rule[] = ['billed end'];

const left_out = new Set<Rule>();

/** Leaves these rules out from now on. */
export function leaveOutUnbuilt(): void {
  for (const rule of UNBUILT) left_out.add(rule);
}

/** Whether the life follows a rule. */
export function has(rule: Rule): boolean {
  return !left_out.has(rule);
}
