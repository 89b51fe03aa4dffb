import { compose } from './composition.ts';
import { statusAt } from './periods.ts';
import type { Discount } from './percents.ts';
import { amountsOff, isPlanLine, presentPeriod } from './period-sums.ts';
import { note, type Instant, type Invoice, type Line, type Subscription, type World } from './world.ts';

/** Discounts (contract.md 3): how they are made and ended. */

/** Discounts that one subscription has at once. */
const DISCOUNTS_MAX = 5;

export type DiscountTerms = Omit<Discount, 'created_at'>;
export type DiscountRefusal = 'out_of_order' | 'out_of_range' | 'invalid_state' | 'too_many';

/** The reasons for which a discount is refused; none if it is made. */
export function refusalsOfDiscount(
  world: World,
  { subscription, from, until }: DiscountTerms,
): DiscountRefusal[] {
  const is_canceled = subscription !== null && statusAt(subscription, world.now) === 'canceled';
  const of = subscription === null ? world.subscriptions : [subscription];
  const is_running = until === null || world.now < until;
  return [
    ...(until !== null && until <= from ? (['out_of_order'] as const) : []),
    ...(is_canceled ? (['invalid_state'] as const) : []),
    ...(is_running && of.some((one) => hasMost(world, one)) ? (['too_many'] as const) : []),
  ];
}

/** Whether a subscription has as many discounts that have not ended as it may have, the ones for all subscriptions included. */
function hasMost(world: World, of: Subscription): boolean {
  const its = world.discounts.filter(({ subscription }) => subscription === null || subscription === of);
  return its.filter((one) => !isEnded(world, one)).length >= DISCOUNTS_MAX;
}

/** Whether the end of a discount has come. */
export function isEnded({ now }: World, { until }: Discount): boolean {
  return until !== null && until <= now;
}

/** Makes a discount that is not refused, and shows it on drafts. */
export function makeDiscount(world: World, terms: DiscountTerms): Discount {
  const discount = { ...terms, created_at: world.now };
  show(world, discount, () => world.discounts.push(discount));
  return discount;
}

/** The reasons for which the end of a discount is refused; none if it is set. */
export function refusalsOfEnd(world: World, discount: Discount, until: Instant): DiscountRefusal[] {
  return [
    ...(until < discount.from ? (['out_of_order'] as const) : []),
    ...(discount.until !== null && discount.until < until ? (['out_of_range'] as const) : []),
    ...(isEnded(world, discount) ? (['invalid_state'] as const) : []),
  ];
}

/** Sets an end that is not refused, and shows it on drafts. */
export function endDiscount(world: World, discount: Discount, until: Instant): void {
  show(world, discount, () => (discount.until = until));
}

/** Makes or ends a discount, and shows it on drafts. */
function show(world: World, discount: Discount, change: () => void): void {
  if (discount.amount === null) {
    change();
    return showPercents(world);
  }
  const drafts = world.invoices.filter(({ status }) => status === 'draft');
  const heldFor = () => drafts.map((draft) => periodsOff(world, discount, draft).join());
  const before = heldFor();
  change();
  for (const [place, after] of heldFor().entries()) {
    if (after === before[place]) continue;
    const draft = drafts[place]!;
    draft.lines = compose(world, draft).lines;
    note(world, 'draft priced again for an amount');
  }
}

/** The starts of the full periods of a draft off which a discount of an amount comes. */
function periodsOff(world: World, discount: Discount, { subscription, lines }: Invoice): Instant[] {
  const full_periods = lines
    .filter(isPlanLine)
    .map(({ full_period }) => presentPeriod(subscription, full_period));
  return full_periods
    .filter((full_period) => amountsOff(world, { subscription, full_period }).includes(discount))
    .map(({ start }) => start);
}

/** Prices drafts again of which a line would be issued with other percents. */
function showPercents(world: World): void {
  for (const draft of world.invoices.filter(({ status }) => status === 'draft')) {
    const lines = compose(world, draft).lines;
    const isAsIssued = (line: Line) => lines.every((one) => !isSame(one, line) || hasSame(one, line));
    if (draft.lines.every(isAsIssued)) continue;
    draft.lines = lines;
    note(world, 'draft priced again for a discount');
  }
}

/** Whether two lines bill the same charge and full period. */
function isSame(one: Line, other: Line): boolean {
  return one.charge === other.charge && one.full_period.start === other.full_period.start;
}

function hasSame({ discounts }: Line, other: Line): boolean {
  return (
    discounts.length === other.discounts.length && discounts.every((one) => other.discounts.includes(one))
  );
}
