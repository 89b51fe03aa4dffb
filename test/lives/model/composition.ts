import { apply, balancesOf, copyOf } from './credit.ts';
import { sharesOf, type LateLine } from './corrections.ts';
import { feeLines, isFee } from './fees.ts';
import { billedPeriods } from './periods.ts';
import { periodLines } from './period-lines.ts';
import type { Planned } from './period-sums.ts';
import { seriesOf } from './series.ts';
import type { Share } from './shares.ts';
import { invoiceOfItem, issuedInvoices, sumOf } from './giving.ts';
import { flatLine } from './flat-lines.ts';
import { isVoid, itemLine, lateClaim, lineFor, ownClaim, pieceOf, totalOf, type Claim } from './lines.ts';
import type { Charge, Invoice, Item, Line, Part, FullPeriod, World } from './world.ts';

/** The content of an invoice made now: its own lines in plan order, fees in advance, period lines, items, and late lines, oldest period first. */
export type Composition = {
  lines: Line[];
  /** Own lines whose exact amount is below zero. */
  owed: Line[];
  /** Late lines of the amount 0 whose money does not fit. */
  credited: Claim[];
  /** The money of these lines that the issue credits on other invoices. */
  shares: Share<Claim>[];
  /** Late lines without units and without credit, whose money can be credited nowhere. */
  waiting: Claim[];
  /** All usage lines of the invoice. */
  made: Claim[];
  /** Late lines that return credit after the invoice's own lines, not before the first line draws. */
  in_place: ReadonlySet<Claim>;
};

/**
 * The order of credit (billing.md 5). At first every late line with surplus credit returns it before the first line draws. While
 * such a line is not made, the first of them returns after the invoice's own lines instead, and the invoice is composed again; one that
 * does not fit there either has the amount 0, and its money is credited on other invoices. One that says nothing but that, and finds
 * nothing there, waits, and returns nothing.
 */
export function compose(world: World, invoice: Invoice): Composition {
  const claims = claimsOn(world, invoice);
  const items = itemsFor(world, invoice);
  const [in_place, credited, waiting] = [new Set<Claim>(), new Set<Claim>(), new Set<Claim>()];
  for (;;) {
    const composed = composeOnce(world, invoice, { ...claims, in_place, credited, waiting });
    const { own, late, owed, made, empty } = composed;
    const { shares, planned } = sharesOf(world, invoice, late);
    const { pieces, of_periods, too_low } = fit(world, invoice, { items, own, late, planned });
    const early = empty.find((claim) => claim.given_back.length > 0 && !in_place.has(claim)) ?? too_low;
    if (early !== undefined) {
      if (early.given_back.length > 0 && !in_place.has(early)) in_place.add(early);
      else credited.add(early);
      continue;
    }
    const idle = late.find((one) => isIdle(one, shares));
    if (idle === undefined) {
      const lines = [...own, ...of_periods, ...pieces, ...late.map(({ line }) => line)];
      return { lines, owed, credited: [...credited], shares, waiting: [...waiting], made, in_place };
    }
    waiting.add(idle.claim);
  }
}

/** Whether a late line of the amount 0 counts no usage, moves no credit and finds nothing to credit. */
function isIdle({ claim, line, money }: LateLine, shares: readonly Share<Claim>[]): boolean {
  if (money === 0n || line.quantity.n !== 0n) return false;
  const moves = line.draws.some(({ grant }) => sumOf(line.draws, [grant]).n !== 0n);
  return !moves && !shares.some((share) => share.of === claim);
}

type Parts = {
  items: readonly Item[];
  own: readonly Line[];
  late: readonly LateLine[];
  planned: readonly Planned[];
};

type Fit = { pieces: Line[]; of_periods: Line[]; too_low: Claim | undefined };

/**
 * All that adds counts first (billing.md 5), then period lines. Then each item below zero takes what is left of the sum, as far as it fits, then
 * each late line below zero, whole, with what it changes of the period lines; the first that does not fit is `too_low`.
 */
function fit(world: World, invoice: Invoice, { items, own, late, planned }: Parts): Fit {
  const counted = new Map(
    late.map(({ claim, line }) => [claim, line.amount < 0n ? withoutAmount(line) : line]),
  );
  const periodLinesNow = () => periodLines(world, invoice, { lines: [...own, ...counted.values()], planned });
  let of_periods = periodLinesNow();
  const all = [...own, ...items, ...counted.values()];
  let left = all.reduce((sum, { amount }) => (amount > 0n ? sum + amount : sum), totalOf(of_periods));
  const pieces: Line[] = [];
  for (const item of items) {
    if (item.amount >= 0n || left + item.amount >= 0n) pieces.push(itemLine(item, invoice));
    else if (left > 0n) pieces.push(pieceOf(item, invoice, -left));
    if (item.amount < 0n) left = left + item.amount > 0n ? left + item.amount : 0n;
  }
  for (const { claim, line } of late) {
    if (line.amount >= 0n) continue;
    counted.set(claim, line);
    const changed = periodLinesNow();
    left += line.amount + totalOf(changed) - totalOf(of_periods);
    of_periods = changed;
    if (left < 0n) return { pieces, of_periods, too_low: claim };
  }
  return { pieces, of_periods, too_low: undefined };
}

/** A late line below zero before it counts: the invoice has a line of its period all the same. */
function withoutAmount(line: Line): Line {
  return { ...line, amount: 0n };
}

/** The own line of a metered charge is a claim; the line of a flat charge is final. */
type Claims = { own: (Line | Claim)[]; late: Claim[] };

function claimsOn(world: World, invoice: Invoice): Claims {
  const { period } = invoice;
  if (period.kind === 'opening') return { own: feeLines(world, invoice), late: [] };
  const usage =
    period.kind === 'late'
      ? []
      : period.full_period.plan.charges
          .filter((charge) => !isFee(charge))
          .flatMap((charge): (Line | Claim)[] =>
            isFlat(charge)
              ? [flatLine(world, { invoice, charge, part: period })]
              : seriesOf(charge, world.events)
                  .map((one) => ownClaim(world, { invoice, charge: one, part: period }))
                  .filter(hasLine),
          );
  return {
    own: [...usage, ...feeLines(world, invoice)],
    late: lateFullPeriods(world, invoice).flatMap((full_period) =>
      meteredOf(world, full_period)
        .map((charge) => lateClaim(world, { invoice, charge, full_period }))
        .filter(hasLine),
    ),
  };
}

/** The charges, by price and group, that bill the usage of a period. */
function meteredOf({ events }: World, { plan }: FullPeriod): Charge[] {
  return plan.charges.filter((charge) => !isFlat(charge)).flatMap((charge) => seriesOf(charge, events));
}

/** The items that an invoice may take: first those of zero or more, each kind in the order of adding. */
function itemsFor(world: World, invoice: Invoice): Item[] {
  const free = world.items.filter((item) => {
    const on = invoiceOfItem(world, item);
    const may_take = invoice.keeps === null || invoice.keeps.includes(item);
    return (
      item.subscription === invoice.subscription &&
      !item.is_deleted &&
      may_take &&
      (on === null || on === invoice)
    );
  });
  return [...free.filter(({ amount }) => amount >= 0n), ...free.filter(({ amount }) => amount < 0n)];
}

/** A price or a group has a line only where it has events: in this part of the period or an earlier one, or late ones. */
function hasLine({ own, need }: Claim): boolean {
  return (
    need.charge.part === undefined || own.length > 0 || need.issued.length > 0 || need.drafted.length > 0
  );
}

/** The line of a price or group that adds nothing to the lines of earlier parts, also where it is held at 0.00. */
function isRepetition(line: Line | Claim, claim: Line | Claim): boolean {
  if (isClaim(line) || !isClaim(claim) || claim.need.charge.part === undefined) return false;
  const is_first = claim.need.issued.length === 0 && claim.need.drafted.length === 0;
  return !is_first && isEmpty(line) && line.skipped_events === 0 && line.draws.length === 0;
}

function isFlat({ pricing }: Charge): boolean {
  return pricing.pricing_model === 'flat';
}

/**
 * Periods that other invoices bill in full, so that this invoice may bill their late usage; those that an end left out; and those that it
 * shortened, of which an issued invoice bills a part.
 */
function lateFullPeriods(world: World, { subscription, period }: Invoice): FullPeriod[] {
  const issued = issuedInvoices(world);
  const isBilled = (part: Part) => part.is_closed && issued.some((invoice) => invoice.period === part);
  const isBilledOrVoid = (part: Part) => part.is_closed && (isBilled(part) || isVoid(world, part));
  const isOwn = (full_period: FullPeriod) => period.kind === 'part' && period.full_period === full_period;
  return billedPeriods(subscription).filter(
    (full_period) =>
      !isOwn(full_period) &&
      (full_period.start === full_period.end ||
        (full_period.ran_to === null
          ? full_period.parts.every(isBilled)
          : full_period.parts.every(isBilledOrVoid) && full_period.parts.some(isBilled))),
  );
}

type Order = Claims & Record<'in_place' | 'credited' | 'waiting', ReadonlySet<Claim>>;

/**
 * Lines draw in the order of their periods: late lines of older periods, own lines, late lines of later periods; with these, in the order
 * of periods, those that return at their own place.
 */
function composeOnce(world: World, invoice: Invoice, { own, late, in_place, credited, waiting }: Order) {
  let balances = balancesOf(world);
  const coming = late.filter((claim) => !waiting.has(claim));
  for (const claim of [...own.filter(isClaim), ...coming])
    if (!in_place.has(claim)) apply(balances, claim.need, claim.given_back);
  const drawn = new Map<Claim, Line>();
  const drawLate = (claim: Claim) => {
    const left = copyOf(balances);
    if (in_place.has(claim)) apply(left, claim.need, claim.given_back);
    const line = lineFor(world, claim, left);
    if (isEmpty(line)) return;
    drawn.set(claim, line);
    balances = left;
  };
  const isEarly = (claim: Claim) => isOlder(claim, invoice) && !in_place.has(claim);
  coming.filter(isEarly).forEach(drawLate);
  const full = own.map((part) => ({ part, line: isClaim(part) ? lineFor(world, part, balances) : part }));
  coming.filter((claim) => !isEarly(claim)).forEach(drawLate);
  // An own line is never below zero: the rest of what the customer is owed comes as a late line on the next invoice.
  const composed = full
    .map(({ part, line }) => ({ part, line: line.amount < 0n ? { ...line, amount: 0n } : line }))
    .filter(({ part, line }) => !isRepetition(line, part));
  const owed = full.map(({ line }) => line).filter(({ amount }) => amount < 0n);
  const later = coming.flatMap((claim): LateLine[] => {
    const line = drawn.get(claim);
    if (line === undefined) return [];
    const money = credited.has(claim) && line.amount < 0n ? -line.amount : 0n;
    const amount_before = money > 0n && line.amount_before !== null ? 0n : line.amount_before;
    return [{ claim, line: { ...line, amount: line.amount + money, amount_before }, money }];
  });
  const made = [...composed.map(({ part }) => part).filter(isClaim), ...drawn.keys()];
  const empty = coming.filter((claim) => !drawn.has(claim));
  return { own: composed.map(({ line }) => line), late: later, owed, made, empty };
}

/** Whether a late line's period comes before the invoice's own one; all do that the last invoice bills. */
function isOlder({ need }: Claim, { period }: Invoice): boolean {
  return period.kind !== 'part' || need.full_period.start < period.full_period.start;
}

function isClaim(part: Line | Claim): part is Claim {
  return 'need' in part;
}

function isEmpty({ quantity, amount }: Line): boolean {
  return quantity.n === 0n && amount === 0n;
}
