import { isAbove, totalOf } from '../../../../src/domain/money/figures.ts';
import { pathWith } from '../../api/client.ts';
import { everyPage } from '../../api/every-page.ts';
import type { Invoice, List, UpcomingLineItem } from '../../api/objects.ts';
import { useLoad } from '../../api/use-load.ts';
import { grouped } from '../../components/grouped.ts';
import { Waiting } from '../../components/loading.tsx';
import { Money, Period } from '../../components/values.tsx';
import { Link } from '../../shell/environment.tsx';
import { lineKey } from './line-key.ts';
import { stoodBeside, type BillOfLine, type LineBeside } from './priced-together.ts';

type PeriodLineProps = { line: UpcomingLineItem; bill: BillOfLine };

/** How a line of a whole period comes about, in words, and what other invoices have of it (billing.md 13). */
export function PeriodLine({ line, bill }: PeriodLineProps) {
  return (
    <>
      <p>
        {line.type === 'discount' ? (
          <DiscountWords line={line} bill={bill} />
        ) : (
          <MinimumWords line={line} bill={bill} />
        )}
      </p>
      <OtherInvoices line={line} bill={bill} />
    </>
  );
}

function DiscountWords({ line, bill: { customer_id, timezone } }: PeriodLineProps) {
  const name = (
    <Link to={`/customers/${encodeURIComponent(customer_id)}`}>
      <q>{line.discounts[0]?.name}</q>
    </Link>
  );
  const period = <Period from={line.period_start} to={line.period_end} timezone={timezone} />;
  if (isAbove(line.amount, '0'))
    return (
      <>
        {name} took more off {period} than its fees and usage come to by now: this line takes the difference
        back.
      </>
    );
  return (
    <>
      {name} takes an amount off the period {period} as a whole, at most what its fees and usage come to.
    </>
  );
}

function MinimumWords({ line, bill }: PeriodLineProps) {
  const { period_start: from, period_end: to, amount } = line;
  const period = <Period from={from} to={to} timezone={bill.timezone} />;
  const is_of_plan = bill.period_start < to && bill.period_end > from;
  const minimum = is_of_plan ? <Link to={`/plans/${bill.plan_id}`}>minimum</Link> : 'minimum';
  return isAbove(amount, '0') ? (
    <>
      What the period {period} lacks of its {minimum}: its fees and usage on all invoices, less discounts of
      an amount, come to less.
    </>
  ) : (
    <>
      More was billed for the {minimum} of {period} than its fees and usage lack of it by now: this line takes
      the difference back.
    </>
  );
}

/** The lines of the same discount or minimum on other invoices; nothing without one. */
function OtherInvoices({ line, bill }: PeriodLineProps) {
  const { subscription_id, currency } = bill;
  const path = pathWith('/v1/invoices', { subscription_id, from: line.period_start });
  const loaded = useLoad<List<Invoice>>(path, everyPage);
  if (loaded.value === null) return loaded.is_loading ? <Waiting /> : null;
  const others = linesOfPeriod(line, bill, loaded.value.data);
  if (others.length === 0) return null;
  const amounts = [...others.map((other) => other.line.amount), line.amount];
  return (
    <p class="equation number">
      {others.map(({ invoice, line: other }) => (
        <span key={other.id}>
          {grouped(other.amount)} on{' '}
          <Link to={`/invoices/${invoice.id}#${other.id}`}>{invoice.number ?? 'a draft'}</Link>,{' '}
        </span>
      ))}
      {grouped(line.amount)} here = <Money amount={totalOf(amounts)} currency={currency} /> in all
    </p>
  );
}

/** The lines of the same discount or minimum on the invoices that stood when the bill was made, the oldest first. */
function linesOfPeriod(line: UpcomingLineItem, bill: BillOfLine, invoices: readonly Invoice[]): LineBeside[] {
  return invoices
    .filter((invoice) => invoice.id !== bill.id && stoodBeside(invoice, bill, true))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .flatMap((invoice) =>
      invoice.line_items
        .filter((other) => lineKey(other) === lineKey(line))
        .map((other) => ({ invoice, line: other })),
    );
}
