import { apply, type Balances } from './credit.ts';
import { issuedInvoices, remainingOf } from './giving.ts';
import { flatLine, lateClaim, lineFor, ownClaim, totalOf, type Claim } from './lines.ts';
import type { Charge, Invoice, Line, Part, FullPeriod, World } from './world.ts';

/** What an invoice made now says: its own lines in plan order, then late lines, oldest period first. */
export type Composition = {
  lines: Line[];
  /** Own lines whose exact amount is below zero. */
  owed: Line[];
  /** Late lines that would take the running subtotal below zero. */
  waiting: Claim[];
  /** All usage lines of the invoice. */
  made: Claim[];
  /** Late lines that return credit at their own place, not before the first line draws. */
  in_place: ReadonlySet<Claim>;
};

/**
 * The order of credit (billing.md 5). At first every late line with surplus credit returns it before the first line draws. While
 * such a line is not made, the first of them returns at its own place instead, and the invoice is composed again.
 */
export function compose(world: World, invoice: Invoice): Composition {
  const claims = claimsOn(world, invoice);
  const in_place = new Set<Claim>();
  for (;;) {
    const { unmade, ...composed } = composeOnce(world, { ...claims, in_place });
    const early = unmade.find((claim) => claim.given_back.length > 0 && !in_place.has(claim));
    if (early === undefined) return { ...composed, in_place };
    in_place.add(early);
  }
}

/** The own line of a metered charge is a claim; the line of a flat charge is final. */
type Claims = { own: (Line | Claim)[]; late: Claim[] };

function claimsOn(world: World, invoice: Invoice): Claims {
  const { period, subscription } = invoice;
  const { charges } = subscription.plan;
  const metered = charges.filter((charge) => !isFlat(charge));
  return {
    own:
      period.kind === 'late'
        ? []
        : charges.map((charge) =>
            isFlat(charge)
              ? flatLine(world, charge, period)
              : ownClaim(world, { invoice, charge, part: period }),
          ),
    late: lateFullPeriods(world, invoice).flatMap((full_period) =>
      metered.map((charge) => lateClaim(world, { invoice, charge, full_period })),
    ),
  };
}

function isFlat({ pricing }: Charge): boolean {
  return pricing.pricing_model === 'flat';
}

/** Periods that other invoices bill in full, so that this invoice may bill their late usage. */
function lateFullPeriods(world: World, { subscription, period }: Invoice): FullPeriod[] {
  const issued = issuedInvoices(world);
  const isBilled = (part: Part) => part.is_closed && issued.some((invoice) => invoice.period === part);
  return subscription.full_periods.filter(
    (full_period) =>
      !(period.kind === 'part' && period.full_period === full_period) && full_period.parts.every(isBilled),
  );
}

type Order = Claims & { in_place: ReadonlySet<Claim> };

function composeOnce(world: World, { own, late, in_place }: Order) {
  let balances: Balances = new Map(world.grants.map((grant) => [grant, remainingOf(world, grant)]));
  for (const claim of [...own.filter(isClaim), ...late])
    if (!in_place.has(claim)) apply(balances, claim.given_back);
  const full = own.map((part) => (isClaim(part) ? lineFor(world, part, balances) : part));
  // An own line is never below zero: the rest of what the customer is owed comes as a late line on the next invoice.
  const lines = full.map((line) => (line.amount < 0n ? { ...line, amount: 0n } : line));
  const [waiting, unmade, made]: [Claim[], Claim[], Claim[]] = [[], [], own.filter(isClaim)];
  for (const claim of late) {
    const left = new Map(balances);
    if (in_place.has(claim)) apply(left, claim.given_back);
    const line = lineFor(world, claim, left);
    const fits = totalOf([...lines, line]) >= 0n;
    if (!fits) waiting.push(claim);
    if (!fits || isEmpty(line)) {
      unmade.push(claim);
      continue;
    }
    lines.push(line);
    made.push(claim);
    balances = left;
  }
  return { lines, owed: full.filter(({ amount }) => amount < 0n), waiting, made, unmade };
}

function isClaim(part: Line | Claim): part is Claim {
  return 'need' in part;
}

function isEmpty({ quantity, amount }: Line): boolean {
  return quantity.n === 0n && amount === 0n;
}
