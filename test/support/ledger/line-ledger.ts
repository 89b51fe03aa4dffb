import type { RatedCharge } from '../../../src/domain/pricing/series.ts';
import { percentsOf, type Discounting } from '../../../src/domain/pricing/discount.ts';
import { standingDraws, type PreviousDraw } from '../../../src/domain/credit/credit.ts';
import { canonical, decimal } from '../../../src/domain/money/decimal.ts';
import { composeInvoice, type InvoiceInput } from '../../../src/domain/invoice/invoice.ts';
import type { ComposedLine, PeriodUsage } from '../../../src/domain/lines/line-item.ts';
import { minorDigits } from '../../../src/domain/money/money.ts';
import { withoutSpans, type CutOff, type Span } from '../../../src/domain/time/span.ts';
import { aGrantBalance } from './grant-balances.ts';
import { discountingOf, aCharge } from './plans.ts';
import * as oracle from '../oracles/price-oracle.ts';
import { taxTermsOf } from '../../../src/domain/money/tax.ts';
import { aPeriod, midnight } from './schedules.ts';

const APRIL = { ...aPeriod('2026-04-01', '2026-05-01'), kind: 'billing' } as const;
const MAY = { ...aPeriod('2026-05-01', '2026-06-01'), kind: 'billing' } as const;
const CUT = midnight('2026-04-11');
const PARTS = { first: { ...APRIL, period_end: CUT }, second: { ...APRIL, period_start: CUT } };
const LARGE = aCharge({
  id: 'chg_large',
  pricing: { pricing_model: 'flat', flat_amount: '1000000000000000000000000000000' },
});
const CURRENCY = 'USD';
const TERMS = { currency: CURRENCY, timezone: 'UTC' };

type Composed = Pick<InvoiceInput, 'plans' | 'own' | 'late'>;
export type Part = keyof typeof PARTS;

/** An event of the charge, stored before the cut-off `stored`; `is_early` means that it lies in the first part of April. */
type Event = { stored: number; is_early: boolean; value: number };
type Line = ComposedLine & { id: number; invoice: number; spans: Span[] };
type Entry = PreviousDraw & { line: number };

/** One charge in April, a period cut in two, with the lines that bill it: an in-memory model of the database. */
export class LineLedger {
  readonly #charge: RatedCharge;
  readonly #discounting: Discounting;
  readonly #events: Event[] = [];
  readonly #entries: Entry[] = [];
  readonly #invoices = new Map<Part, number>();
  lines: Line[] = [];
  #clock = 0;
  #made = 0;
  #grant = aGrantBalance({ remaining: '0', expires_at: null });

  /** `percents` are those of discounts that hold for all periods. */
  constructor(charge: RatedCharge, credit: number, percents: readonly string[] = []) {
    this.#charge = charge;
    this.#discounting = discountingOf(percents);
    this.#grant = { ...this.#grant, remaining: `${credit}` };
  }

  get credit_left(): string {
    return this.#grant.remaining;
  }

  store(is_early: boolean, value: number): void {
    this.#events.push({ stored: this.#clock + 1, is_early, value });
  }

  /** Closes a part, or bills it again if its invoice is void. */
  generate(part: Part): void {
    if (!this.#invoices.has(part)) this.#issue(part);
  }

  /** Voids the invoice of a part, or an invoice that has only late lines. */
  voidInvoice(invoice: number): void {
    for (const line of this.lines.filter((one) => one.invoice === invoice)) this.#undo(line);
    this.lines = this.lines.filter((line) => line.invoice !== invoice);
    for (const [part, id] of this.#invoices) if (id === invoice) this.#invoices.delete(part);
  }

  regenerate(part: Part): void {
    const invoice = this.#invoices.get(part);
    if (invoice === undefined) return;
    this.voidInvoice(invoice);
    this.#issue(part);
  }

  /** May's invoice with the late usage of April. Its own line is large, so that no late line has to wait. */
  issueLate(): void {
    if (this.#invoices.size === 2) this.#issue(null);
  }

  /**
   * The expected sum of all lines: one invoice over everything that they hold, with all their credit; `before` without
   * percents.
   */
  expected(): Record<'amount' | 'before' | 'credit', oracle.Rational> & { quantity: string } {
    const quantity = this.#aggregate(this.lines.flatMap(({ spans }) => spans));
    const credit = this.#credit();
    const fraction = { numerator: '1', denominator: '1' };
    const priced = oracle.oraclePrice(
      this.#charge.pricing,
      { quantity, credit, fraction, percents: percentsOf(this.#discounting.discounts) },
      minorDigits(CURRENCY),
    );
    const [amount, before] = [priced.amount, priced.amount_before ?? priced.amount].map(oracle.rational);
    return { quantity, amount: amount!, before: before!, credit: oracle.rational(credit) };
  }

  /** How many lines hold the same event at most; must not exceed 1. */
  timesHeld(): number {
    const held = this.#events.map(
      (event) => this.lines.filter(({ spans }) => spans.some(holding(event))).length,
    );
    return Math.max(0, ...held);
  }

  #issue(part: Part | null): void {
    this.#clock++;
    const region: Span = {
      after: null,
      up_to: cutOff(this.#clock),
      // Usage of a part whose invoice is void waits for that part's own invoice.
      timestamp_from: part === 'second' && !this.#invoices.has('first') ? CUT : APRIL.period_start,
      timestamp_to: part === 'first' ? CUT : APRIL.period_end,
      stored_from: null,
      stored_to: null,
    };
    const spans = withoutSpans(
      region,
      this.lines.flatMap((line) => line.spans),
    );
    const invoice = ++this.#made;
    if (part !== null) this.#invoices.set(part, invoice);
    const { line_items, credit } = composeInvoice({
      ...(part === null ? this.#mayWith(this.#usage(spans)) : this.#partWith(part, this.#usage(spans))),
      periods: [],
      items: [],
      grants: [this.#grant],
      billed: null,
      ...{ fees: { coming: null, ending: null }, is_opening: false, timezone: 'UTC' },
      currency: CURRENCY,
      tax: taxTermsOf('standard', '0'),
    });
    const line = line_items.find(({ full_period_start }) => full_period_start === APRIL.period_start);
    if (line === undefined) return;
    const id = ++this.#made;
    this.lines.push({ ...line, id, invoice, spans });
    const before = this.#given();
    for (const { amount } of credit) this.#entries.push({ line: id, grant: this.#grant, amount });
    this.#move(before);
  }

  #partWith(part: Part, usage: PeriodUsage): Composed {
    const own = { ...usage, period: PARTS[part] };
    return { plans: new Map([['plan_1', [this.#charge]]]), own, late: [] };
  }

  #mayWith(usage: PeriodUsage): Composed {
    const none = {
      quantity: '0',
      quantity_before: new Map(),
      skipped_events: 0,
      others: [],
      previous_draws: [],
    };
    const may = { full_period: MAY, usage: new Map([[this.#charge.id, none]]), ...this.#terms() };
    const own = { ...may, period: MAY };
    return { plans: new Map([['plan_1', [LARGE, this.#charge]]]), own, late: [usage] };
  }

  #usage(spans: readonly Span[]): PeriodUsage {
    const all = [...spans, ...this.lines.flatMap((line) => line.spans)];
    const used = {
      quantity: this.#aggregate(all),
      quantity_before: new Map<string, string>(),
      skipped_events: 0,
      others: this.lines.map((line) => ({ ...line, provisional_credit: '0', credited: '0' })),
      previous_draws: standingDraws(this.#entries),
    };
    return { full_period: APRIL, usage: new Map([[this.#charge.id, used]]), ...this.#terms() };
  }

  #terms() {
    return { ...TERMS, discounting: this.#discounting };
  }

  #undo(line: Line): void {
    const before = this.#given();
    const own = this.#entries.filter((entry) => entry.line === line.id);
    for (const entry of own) this.#entries.splice(this.#entries.indexOf(entry), 1);
    this.#move(before);
  }

  /** The amount that the grant has given: the sum of its draws, never below zero (billing.md 4). */
  #given(): oracle.Rational {
    const sum = oracle.total(this.#entries.map(({ amount }) => oracle.rational(amount)));
    return oracle.isLess(sum, oracle.NOTHING) ? oracle.NOTHING : sum;
  }

  /** Keeps `remaining` at the grant's amount less what it has given. */
  #move(before: oracle.Rational): void {
    const moved = oracle.minus(before, this.#given());
    this.#grant = {
      ...this.#grant,
      remaining: text(oracle.plus(oracle.rational(this.#grant.remaining), moved)),
    };
  }

  #credit(): string {
    return text(oracle.total(this.#entries.map(({ amount }) => oracle.rational(amount))));
  }

  #aggregate(spans: readonly Span[]): string {
    const held = this.#events.filter((event) => spans.some(holding(event)));
    const values = [
      ...held.filter(({ is_early }) => is_early),
      ...held.filter(({ is_early }) => !is_early),
    ].map(({ value }) => value);
    switch (this.#charge.aggregation.type) {
      case 'count':
        return `${values.length}`;
      case 'sum':
        return `${Math.max(
          0,
          values.reduce((a, b) => a + b, 0),
        )}`;
      case 'max':
        return `${Math.max(0, ...values)}`;
      case 'unique':
        return `${new Set(values).size}`;
      case 'latest':
        return `${Math.max(0, values.at(-1) ?? 0)}`;
    }
  }
}

const cutOff = (place: number): CutOff => ({ id: `${place}`, epoch: 1, snapshot: '' });

const holding =
  ({ stored, is_early }: Event) =>
  ({ after, up_to, timestamp_from, timestamp_to }: Span): boolean => {
    const timestamp = is_early ? APRIL.period_start : CUT;
    const isStored = stored > Number(after?.id ?? 0) && stored <= Number(up_to.id);
    return isStored && timestamp_from <= timestamp && timestamp < timestamp_to;
  };

/** Credit has at most two decimals, because quantities are whole numbers and credits per unit have two: 12 digits are exact. */
const text = (value: oracle.Rational): string => canonical(decimal(oracle.rounded(value, 12)));
