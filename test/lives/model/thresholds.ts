import { rational, rounded } from '../../support/oracles/price-oracle.ts';
import { compose } from './composition.ts';
import { cutNow } from './generation.ts';
import { makeDraft } from './invoices.ts';
import { totalOf } from './lines.ts';
import { openPart, statusAt } from './periods.ts';
import { later, note, type Part, type Subscription, type World } from './world.ts';

/** Bills before the end (billing.md 15). */

/** A part that is billed before its end is at least so old. */
const AGE_MS = 3_600_000;

/** Sets the amount at which the open part is billed; false once the subscription has ended. */
export function setBillAt(world: World, subscription: Subscription, bill_at: string | null): boolean {
  if (statusAt(subscription, world.now) === 'canceled') return false;
  subscription.bill_at = bill_at;
  return true;
}

/** A look of the test clock: at each subscription, the one that was made first before the others; one is billed before the next is looked at. */
export function look(world: World): void {
  for (const subscription of world.subscriptions) {
    const part = openPart(subscription);
    if (part === null || !isDue(world, subscription, part)) continue;
    part.cause = 'threshold';
    cutNow(world, subscription, part);
    note(world, 'billed before the end');
  }
}

function isDue(world: World, subscription: Subscription, { start }: Part): boolean {
  const { bill_at } = subscription;
  if (bill_at === null || statusAt(subscription, world.now) !== 'active') return false;
  if (world.now < later(start, AGE_MS)) return false;
  const least = BigInt(rounded(rational(bill_at), world.digits).replace('.', ''));
  const amount = amountNow(world, subscription);
  if (amount < least) note(world, 'looked at, too little');
  return amount >= least;
}

/** The metered lines of the open part, as a cut would make them now. */
function amountNow(world: World, subscription: Subscription): bigint {
  const copy = structuredClone(world);
  const of = copy.subscriptions[world.subscriptions.indexOf(subscription)]!;
  const part = openPart(of)!;
  Object.assign(part, { end: copy.now, is_closed: true });
  const draft = makeDraft(copy, { subscription: of, period: part });
  return totalOf(compose(copy, draft).lines.filter(({ type }) => type === 'usage'));
}
