import { equals, isLess, NOTHING, total } from '../../support/oracles/price-oracle.ts';
import type { Composition } from './composition.ts';
import { ownCreditable } from './credit.ts';
import { expiryOf, isCarriedTo } from './expiries.ts';
import { isFee } from './fees.ts';
import { carriedBy, sumOf } from './giving.ts';
import { isVoid, type Claim } from './lines.ts';
import { dueOf } from './owed.ts';
import { lateUntil, neverBills } from './periods.ts';
import { isPlanLine } from './period-sums.ts';
import {
  lengthOf,
  note,
  type Draw,
  type FullPeriod,
  type Invoice,
  type Line,
  type StoredEvent,
  type World,
} from './world.ts';

const DAY_MS = 86_400_000;

/** Notes the situations of an invoice that was just issued, and of its composition. */
export function noteIssue(
  world: World,
  invoice: Invoice,
  { composition, shown }: { composition: Composition; shown: readonly Line[] },
): void {
  note(world, 'invoice issued');
  notePeriod(world, invoice);
  noteFees(world, invoice);
  for (const line of invoice.lines) noteLine(world, line);
  for (const line of invoice.lines.filter(isPlanLine)) notePercents(world, line);
  for (const line of invoice.lines) notePeriodLine(world, line, invoice);
  for (const { draws, full_period } of invoice.lines) noteGrants(world, draws, full_period);
  noteOrder(world, composition);
  for (const claim of composition.made) noteTakeover(world, claim);
  noteDraft(world, shown, invoice.lines);
}

function notePeriod(world: World, { lines, period, replaces, subscription }: Invoice): void {
  if (period.kind === 'late')
    note(world, neverBills(subscription) ? 'last invoice of items' : 'last invoice of late lines');
  if (replaces !== null && lines.some(({ type }) => type === 'late_usage'))
    note(world, 'late line on a replacement');
  if (period.kind !== 'part') return;
  if (lengthOf(period.full_period.interval) % DAY_MS !== 0) note(world, 'period with a clock change');
  if (period.full_period.parts.length === 1) return;
  note(world, 'part of a cut period billed');
  const earlier = period.full_period.parts.filter(({ end }) => end <= period.start);
  if (earlier.some((part) => isVoid(world, part))) note(world, 'part leaves out a void one');
  if (earlier.length > 1 && lines.some(({ type, charge }) => type === 'flat' && !isFee(charge)))
    note(world, 'flat amount in three parts or more');
}

/** Notes the fees in advance of an invoice. */
function noteFees(world: World, { lines, period }: Invoice): void {
  const fees = lines.filter(({ charge }) => isFee(charge));
  if (period.kind === 'opening')
    note(world, lines.some(({ item }) => item !== null) ? 'opening with items' : 'opening of fees');
  if (period.kind !== 'part') return;
  for (const { full_period, period: time } of fees) {
    const is_short = full_period.start === period.full_period.start;
    note(world, is_short ? 'rest of a fee on the closing invoice' : 'fee on its home');
    if (time.end !== full_period.interval.end) note(world, 'fee up to an end before the boundary');
  }
}

function noteLine(world: World, { type, amount, quantity, draws }: Line): void {
  const late = type === 'late_usage' ? 'late ' : '';
  if (type === 'late_usage') note(world, 'late line');
  if (type === 'late_usage' && amount < 0n) note(world, 'late line below 0');
  if (isLess(quantity, NOTHING)) note(world, `${late}quantity below 0`);
  const credit = total(draws.map((draw) => draw.amount));
  if (isLess(NOTHING, credit)) note(world, `${late}line with credit`);
  if (isLess(credit, NOTHING)) note(world, `${late}line gives credit back`);
  const grants = new Set(draws.map(({ grant }) => grant));
  if (grants.size > 1) note(world, 'line with credit of several grants');
  if (new Set([...grants].map(expiryOf)).size > 1) note(world, 'line with credit of several expiries');
}

/** Notes the percents of a line. */
function notePercents(
  world: World,
  { type, charge, full_period, discounts, amount, amount_before }: Line,
): void {
  const kind = isFee(charge) ? 'fee in advance' : type === 'flat' ? 'flat amount' : type.replace('_', ' ');
  if (discounts.length > 0) note(world, `${kind} with percents`);
  if (discounts.length > 1) note(world, 'line with several percents');
  if (discounts.some(({ until }) => until !== null && until <= full_period.start))
    note(world, 'line keeps percents of a discount that holds no more');
  if (amount === 0n && amount_before !== null && amount_before > 0n)
    note(world, 'line of nothing by its percents');
  if (discounts.some(({ created_at }) => full_period.end <= created_at))
    note(world, 'line with percents made after its period');
}

/** Notes a discount of an amount, or a minimum. */
function notePeriodLine(world: World, { type, amount, full_period }: Line, { period, lines }: Invoice): void {
  if (type !== 'discount' && type !== 'minimum') return;
  note(world, `${type} of ${amount < 0n ? 'less' : 'more'}`);
  if (period.kind !== 'part' || period.full_period.start !== full_period.start)
    note(world, `${type} of another full period`);
  if (lengthOf(full_period) < lengthOf(full_period.interval)) note(world, `${type} of a short period`);
  if (!lines.some((line) => isPlanLine(line) && line.full_period.start === full_period.start))
    note(world, `${type} without another line of its period`);
}

/** Notes the grants of plans, and those for one thing, that a line moves. */
function noteGrants(world: World, draws: readonly Draw[], full_period: FullPeriod): void {
  for (const grant of new Set(draws.map((draw) => draw.grant))) {
    const moves = isLess(sumOf(draws, [grant]), NOTHING) ? 'gives back to' : 'draws from';
    if (grant.event_names !== null) note(world, `line ${moves} a grant for event names`);
    if (grant.subscription !== null && grant.origin === null)
      note(world, `line ${moves} a grant for a subscription`);
    if (grant.origin !== null) note(world, `line ${moves} a grant of a plan`);
    if (!isCarriedTo(grant, full_period)) continue;
    note(world, `line ${moves} what is carried over`);
    if (equals(carriedBy(world, grant), grant.carry_over_max!))
      note(world, 'carry-over used up to its limit');
  }
}

function noteOrder(world: World, composition: Composition): void {
  const { lines, owed, waiting, made, in_place } = composition;
  for (const _ of owed) note(world, 'a line is held at 0');
  for (const _ of waiting) note(world, 'a late line waits');
  noteCredited(world, composition);
  const drawn = lines.flatMap(({ draws }) => draws).filter(({ amount }) => isLess(NOTHING, amount));
  for (const claim of made) {
    const { type, given_back } = claim;
    if (given_back.length === 0) continue;
    if (in_place.has(claim)) note(world, 'return in its place');
    else if (given_back.some(({ grant }) => sumOf(drawn, [grant]).n > 0n))
      note(world, `return of a ${type} line, drawn again by the invoice`);
  }
}

function noteCredited(world: World, { credited, shares, waiting }: Composition): void {
  for (const claim of credited) {
    if (waiting.includes(claim)) continue;
    const found = shares.filter((share) => share.of === claim);
    note(
      world,
      `late line of the amount 0, credited on ${found.length > 1 ? 'several' : found.length} invoices`,
    );
    if (claim.given_back.length > 0) note(world, 'late line of the amount 0 returns credit');
    if (found.some(({ invoice, amount }) => amount > dueOf(invoice)))
      note(world, 'automatic note gives to the balance');
  }
}

function noteTakeover(world: World, { type, need, taken_over }: Claim): void {
  if (taken_over.length === 0) return;
  note(world, `takeover by a ${type} line`);
  const amount = total(taken_over.map((draw) => draw.amount));
  if (isLess(ownCreditable(need), amount)) note(world, 'takeover of more than its own units ask for');
  if (taken_over.some(({ grant }) => grant.is_voided)) note(world, 'takeover of a voided grant');
}

/** Notes the late lines that the draft showed and the issue did not make, and the reverse. */
function noteDraft(world: World, shown: readonly Line[], made: readonly Line[]): void {
  const names = (lines: readonly Line[]) =>
    lines
      .filter(({ type }) => type === 'late_usage')
      .map(({ charge, full_period }) => ({ charge, full_period }));
  const isAmong = (line: ReturnType<typeof names>[number], others: ReturnType<typeof names>) =>
    others.some(({ charge, full_period }) => charge === line.charge && full_period === line.full_period);
  const [before, after] = [names(shown), names(made)];
  if (before.some((line) => !isAmong(line, after))) note(world, 'draft showed a late line that is not made');
  if (after.some((line) => !isAmong(line, before))) note(world, 'draft lacked a late line that is made');
}

/** Notes the situations of an invoice that was just voided; `draws` belong to its lines. */
export function noteVoid(world: World, { moved }: Invoice, draws: readonly Draw[]): void {
  for (const grant of new Set(draws.map((draw) => draw.grant))) {
    const [drawn, kept] = [sumOf(draws, [grant]), moved.get(grant) ?? NOTHING];
    const of = grant.is_voided ? 'a voided grant' : 'a grant';
    if (isLess(NOTHING, drawn)) note(world, `void gives back to ${of}`);
    if (isLess(NOTHING, kept))
      note(world, 'void gives back less than was drawn: a later line returned the rest');
    if (isLess(drawn, NOTHING) && kept.n === 0n) note(world, `void draws again from ${of}`);
    if (isLess(drawn, NOTHING) && isLess(kept, NOTHING)) note(world, 'void of a return whose draw is void');
  }
}

/** Notes the situation of an event that was just stored. */
export function noteEvent(world: World, event: StoredEvent): void {
  note(world, 'event stored');
  for (const { full_periods } of world.subscriptions) {
    for (const { start, end, parts, plan } of full_periods) {
      if (event.timestamp < start || end <= event.timestamp) continue;
      if (!plan.charges.some(({ event_name }) => event_name === event.event_name)) continue;
      const part = parts.find((found) => event.timestamp < found.end);
      if (part?.is_closed !== true) continue;
      note(world, event.stored_at < lateUntil(end) ? 'late event' : 'event too late');
    }
  }
}
