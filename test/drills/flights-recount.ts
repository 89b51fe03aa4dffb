import type { Flight } from './flights.ts';

/**
 * Independent calculation of what every airport owes: from the flights and billing.md alone, without code of the product. Integers
 * only; prices are in hundred-thousandths of a dollar.
 */
export type RecountedGrant = {
  amount: number;
  created_at: string;
  /** The earlier of its own expiry and, without rollover, the end of the first period; null never expires. */
  expires_at: string | null;
  rollover: boolean;
  drawn: number;
};

export type RecountedLine = {
  quantity: number;
  credits_applied: number;
  amount: string;
  tiers: RecountedTier[] | null;
};
export type RecountedTier = { up_to: string | null; quantity: string; amount: number };
export type RecountedInvoice = { lines: RecountedLine[]; subtotal: string; tax: string; total: string };

const UNITS_PER_DOLLAR = 100_000;
const TAX_PERCENT = 7;

const TIERS = [
  { up_to: 5000, unit: 1000, flat: 0 },
  { up_to: 20_000, unit: 750, flat: 333_000 },
  { up_to: null, unit: 123, flat: 0 },
];

/** A period; the price of a destination is that of the first plan, or of the one to which the airport changed. */
export type RecountedPeriod = { start: string; end: string; is_changed?: boolean };

/** Bills one period of an airport. Grants keep what was drawn, so periods must be recounted in order. */
export function recount(
  flights: readonly Flight[],
  period: RecountedPeriod,
  grants: RecountedGrant[],
): RecountedInvoice {
  const held = flights.filter(({ timestamp }) => timestamp >= period.start && timestamp < period.end);
  const until = (before: string | null) =>
    held.filter(({ timestamp }) => before === null || timestamp < before);
  const departures = (before: string | null) => Math.max(0, until(before).length - 2);
  const miles = (before: string | null) => until(before).reduce((sum, { distance }) => sum + distance, 0);
  const destinations = (before: string | null) =>
    new Set(until(before).map(({ destination }) => destination)).size;

  const covered = (usage: (before: string | null) => number) => draw(grants, period, usage);
  const packages = covered(departures);
  const distance = covered(miles);
  const places = covered(destinations);
  const tiers = tiersOf(miles(null) - distance);
  const cents = [
    Math.ceil((departures(null) - packages) / 10) * 500,
    rounded(
      tiers.reduce((sum, tier) => sum + tier.amount, 0),
      UNITS_PER_DOLLAR / 100,
    ),
    rounded(
      (destinations(null) - places) * (period.is_changed === true ? 251_000 : 125_500),
      UNITS_PER_DOLLAR / 100,
    ),
  ];
  const subtotal = cents.reduce((sum, amount) => sum + amount, 0);
  const tax = rounded(subtotal * TAX_PERCENT, 100);
  return {
    lines: [
      { quantity: held.length, credits_applied: packages, amount: dollars(cents[0]!), tiers: null },
      { quantity: miles(null), credits_applied: distance, amount: dollars(cents[1]!), tiers },
      { quantity: destinations(null), credits_applied: places, amount: dollars(cents[2]!), tiers: null },
    ],
    subtotal: dollars(subtotal),
    tax: dollars(tax),
    total: dollars(subtotal + tax),
  };
}

/** Sum of lines of one charge. The lines of a month sum to what one line over all its flights would say (billing.md 5). */
export function sumOfLines(
  lines: readonly { quantity: string; credits_applied: string; amount: string }[],
): Omit<RecountedLine, 'tiers'> {
  const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
  return {
    quantity: sum(lines.map(({ quantity }) => Number(quantity))),
    credits_applied: sum(lines.map(({ credits_applied }) => Number(credits_applied))),
    amount: dollars(sum(lines.map(({ amount }) => Number(amount.replace('.', ''))))),
  };
}

function draw(
  grants: RecountedGrant[],
  period: { start: string; end: string },
  usage: (before: string | null) => number,
): number {
  const never = '9999';
  const order = grants
    .filter(({ created_at, expires_at }) => created_at < period.end && (expires_at ?? never) > period.start)
    .sort(
      (a, b) =>
        (a.expires_at ?? never).localeCompare(b.expires_at ?? never) ||
        Number(a.rollover) - Number(b.rollover) ||
        a.created_at.localeCompare(b.created_at),
    );
  let covered = 0;
  for (const grant of order) {
    const coverable = usage(grant.expires_at) - covered;
    const drawn = Math.max(0, Math.min(grant.amount - grant.drawn, coverable));
    grant.drawn += drawn;
    covered += drawn;
  }
  return covered;
}

function tiersOf(quantity: number): RecountedTier[] {
  let lower = 0;
  const reached: RecountedTier[] = [];
  for (const { up_to, unit, flat } of TIERS) {
    const inside = Math.min(quantity, up_to ?? Infinity) - lower;
    if (inside <= 0 && lower > 0) break;
    reached.push({
      up_to: up_to === null ? null : `${up_to}`,
      quantity: `${inside}`,
      amount: inside * unit + flat,
    });
    lower = up_to ?? quantity;
    if (lower >= quantity) break;
  }
  return reached;
}

function rounded(value: number, unit: number): number {
  return Math.floor(value / unit + 0.5);
}

function dollars(cents: number): string {
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
}
