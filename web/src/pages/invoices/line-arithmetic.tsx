import type { ComponentChildren } from 'preact';
import {
  relationToAmount,
  differenceOf,
  isZero,
  productOf,
  sumOf,
} from '../../../../src/domain/money/figures.ts';
import { MODELS, modelOf, type Pricing } from '../../../../src/domain/pricing/definitions.ts';
import { unitPriceOf } from '../../../../src/domain/pricing/unit-price.ts';
import type { PricedTier, UpcomingLineItem } from '../../api/objects.ts';
import { Waiting } from '../../components/loading.tsx';
import { Table, type Column } from '../../components/table.tsx';
import { grouped } from '../../components/grouped.ts';
import { Money, Period } from '../../components/values.tsx';
import { Link } from '../../shell/environment.tsx';
import type { BillOfLine, InvoiceBeside } from './priced-together.ts';
import { PeriodLine } from './period-line.tsx';
import { useTogether } from './use-together.ts';
import { lessPercents, withPercents } from './with-percents.ts';

type LineProps = {
  line: UpcomingLineItem;
  /** The prices of its charge, or of its price in the charge's list; undefined while they are not known. */
  pricing: Pricing | undefined;
  bill: BillOfLine;
};

/** The end of an equation. */
type Result = Pick<UpcomingLineItem, 'amount' | 'billable_quantity' | 'discounts'>;

const FORMATS = { quantity: grouped, amount: grouped };

/** How a line's amount comes about, in words and figures. */
export function LineArithmetic({ line, pricing, bill }: LineProps) {
  return (
    <div class="stack">
      {line.others && (
        <p>
          This line bills the values that have no line of their own: those beyond the limit of lines for a
          charge and period, and texts over 255 characters.
        </p>
      )}
      <SkippedEvents line={line} />
      <Deductions line={line} pricing={pricing} />
      {line.tiers === null ? (
        <Priced line={line} pricing={pricing} bill={bill} />
      ) : (
        <Tiers line={line} tiers={line.tiers} currency={bill.currency} />
      )}
    </div>
  );
}

function SkippedEvents({ line: { skipped_events, aggregation } }: { line: UpcomingLineItem }) {
  if (skipped_events === 0) return null;
  const has = aggregation?.type === 'unique' ? 'nothing that could be compared' : 'no number';
  return (
    <p>
      <strong>
        {grouped(`${skipped_events}`)} {skipped_events === 1 ? 'event was' : 'events were'} left out:
      </strong>{' '}
      {skipped_events === 1 ? 'it has' : 'they have'} {has} as the property <q>{aggregation?.property}</q>.
    </p>
  );
}

/** The units that come off the quantity before it is priced. */
function Deductions({ line, pricing }: Pick<LineProps, 'line' | 'pricing'>) {
  const { quantity, credits_applied, billable_quantity } = line;
  if (line.aggregation === null || pricing === undefined) return null;
  const { creditsOf } = modelOf(pricing);
  if (creditsOf !== null)
    return (
      <Equation>
        {creditsOf(quantity, FORMATS)}, less {grouped(credits_applied)} from grants ={' '}
        {grouped(billable_quantity)} credits short
      </Equation>
    );
  if (credits_applied.startsWith('-'))
    return (
      <p>{grouped(credits_applied.slice(1))} of credit that earlier lines drew went back to its grants.</p>
    );
  // Other lines of the period may have used up the free units of a package.
  const free = differenceOf(differenceOf(quantity, credits_applied), billable_quantity);
  if (isZero(credits_applied) && isZero(free)) return null;
  return (
    <Equation>
      {grouped(quantity)}
      {!isZero(free) && `, less ${grouped(free)} free`}
      {!isZero(credits_applied) && `, less ${grouped(credits_applied)} covered by credit`} ={' '}
      {grouped(billable_quantity)} to be charged
    </Equation>
  );
}

function Tiers({ line, tiers, currency }: { line: UpcomingLineItem; tiers: PricedTier[]; currency: string }) {
  const exact = sumOf(tiers.map(({ amount }) => amount));
  return (
    <>
      {line.pricing_model !== null && <p>{MODELS[line.pricing_model].tierRule?.(grouped(line.quantity))}:</p>}
      <Table
        caption={`Tiers of ${line.description}`}
        keyOf={({ up_to }) => up_to ?? 'last'}
        items={tiers}
        columns={TIER_COLUMNS}
      />
      <Equation>
        {tiers.length > 1 && `${tiers.map(({ amount }) => grouped(amount)).join(' + ')} = `}
        <Outcome exact={exact} line={line} currency={currency} />
      </Equation>
    </>
  );
}

const TIER_COLUMNS: readonly Column<PricedTier>[] = [
  { title: 'Tier', show: ({ up_to }) => (up_to === null ? 'the last' : `up to ${grouped(up_to)}`) },
  {
    title: 'Quantity × unit amount + flat',
    show: ({ quantity, unit_amount, flat_amount }) =>
      `${grouped(quantity)} × ${grouped(unit_amount)}${isZero(flat_amount) ? '' : ` + ${grouped(flat_amount)}`}`,
  },
  { title: 'Amount', show: ({ amount }) => grouped(amount), is_number: true },
];

/** A line without tiers: one product, where the charge is known and no other line of the period takes part. */
function Priced({ line, pricing, bill }: LineProps) {
  const { currency } = bill;
  const together = <Together line={line} pricing={pricing} bill={bill} />;
  if (line.type === 'late_usage') return together;
  if (line.type === 'discount' || line.type === 'minimum') return <PeriodLine line={line} bill={bill} />;
  if (line.invoice_item !== null) return <UnitPrice line={line} currency={currency} />;
  if (pricing === undefined) return null;
  const calculation = modelOf(pricing).calculation(line.billable_quantity, FORMATS);
  if (calculation === null) return together;
  const exact = withPercents(calculation.exact_amount, line.discounts);
  if (relationToAmount(exact, line.amount) !== 'other')
    return <Product line={line} pricing={pricing} currency={currency} />;
  if (line.type !== 'flat') return together;
  return (
    <>
      <UnitPrice line={line} currency={currency} />
      <p>
        A part of the {grouped(calculation.exact_amount)} {currency} per period
        {lessPercents(line.discounts)}: what its time is worth, less what other lines bill of it.
      </p>
    </>
  );
}

/** The product of a line whose model has no tiers. */
function Product({ line, pricing, currency }: { line: Result; pricing: Pricing; currency: string }) {
  const calculation = modelOf(pricing).calculation(line.billable_quantity, FORMATS);
  if (calculation === null) return null;
  return (
    <Equation>
      {calculation.words} = <Outcome exact={calculation.exact_amount} line={line} currency={currency} />
    </Equation>
  );
}

/** Quantity and unit price of an item or a flat line, as on the PDF. */
function UnitPrice({ line, currency }: { line: UpcomingLineItem; currency: string }) {
  const { quantity, unit_price } = unitPriceOf(line, null)!;
  return (
    <Equation>
      {grouped(quantity)} × {grouped(unit_price)} ={' '}
      <Outcome
        exact={productOf(quantity, unit_price)}
        line={{ ...line, discounts: [] }}
        currency={currency}
      />
    </Equation>
  );
}

/**
 * Lines of one charge, price, group and period are priced together, so that they sum to what one invoice would have
 * said.
 */
function Together({ line, pricing, bill }: LineProps) {
  const loaded = useTogether(line, { pricing, bill });
  if (loaded === 'loading') return <Waiting />;
  if (loaded === null) return <OnlyTogether line={line} bill={bill} />;
  const { together, pricing: known } = loaded;
  const { quantity, credits_applied, priced, other_lines } = together;
  const { tiers, amount, billable_quantity } = priced;
  const all = { ...line, quantity, credits_applied, billable_quantity, amount };
  const { currency } = bill;
  return (
    <>
      <p>
        <strong>{grouped(quantity)} priced together:</strong> {grouped(line.quantity)} on this line
        {other_lines.map(({ invoice, line: other }) => (
          <span key={other.id}>
            , {grouped(other.quantity)} on <InvoiceOfLine invoice={invoice} line_id={other.id} />
          </span>
        ))}
        .
      </p>
      <Deductions line={all} pricing={known} />
      {tiers === null ? (
        <Product line={all} pricing={known} currency={currency} />
      ) : (
        <Tiers line={all} tiers={tiers} currency={currency} />
      )}
      {other_lines.length > 0 && (
        <Equation>
          {grouped(amount)}
          {other_lines.map(({ invoice, line: other }) => (
            <span key={other.id}>
              , less {grouped(other.amount)} on <InvoiceOfLine invoice={invoice} line_id={other.id} />
            </span>
          ))}{' '}
          = <Money amount={line.amount} currency={currency} />
        </Equation>
      )}
    </>
  );
}

function InvoiceOfLine({ invoice: { id, number }, line_id }: { invoice: InvoiceBeside; line_id: string }) {
  return <Link to={`/invoices/${id}#${line_id}`}>{number ?? 'a draft'}</Link>;
}

/** Where the figures of the lines do not add up. */
function OnlyTogether({ line, bill: { timezone, currency } }: Omit<LineProps, 'pricing'>) {
  const { period_start, period_end, amount } = line;
  return (
    <p>
      The total usage on invoices for <Period from={period_start} to={period_end} timezone={timezone} /> was
      priced together. Without the other line items of this {dividedBy(line)} and period, the amount is{' '}
      <Money amount={amount} currency={currency} />.
    </p>
  );
}

/** The least part of a charge that the line shares its period with. */
function dividedBy({ price_index, group, others }: UpcomingLineItem): string {
  if (group !== null || others) return 'group';
  return price_index === null ? 'charge' : 'price';
}

/** The text after "= " at the end of an equation whose exact outcome without percents is known. */
function Outcome({
  exact: before,
  line,
  currency,
}: {
  exact: string;
  line: Result;
  currency: string;
}): ComponentChildren {
  const { discounts } = line;
  const exact = withPercents(before, discounts);
  if (discounts.length > 0)
    return (
      <>
        {grouped(before)}
        {lessPercents(discounts)} ={' '}
        <Outcome exact={exact} line={{ ...line, discounts: [] }} currency={currency} />
      </>
    );
  const amount = <Money amount={line.amount} currency={currency} />;
  switch (relationToAmount(exact, line.amount)) {
    case 'equal':
      return amount;
    case 'rounded':
      return (
        <>
          {grouped(exact)}, rounded half away from zero to {amount}
        </>
      );
    case 'other':
      return (
        <>
          {grouped(exact)}; together with the other lines of the period: {amount}
        </>
      );
  }
}

function Equation({ children }: { children: ComponentChildren }) {
  return <p class="equation number">{children}</p>;
}
