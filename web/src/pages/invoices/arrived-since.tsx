import { isAbove, isZero, leftOf, negated, totalOf } from '../../../../src/domain/money/figures.ts';
import { pathWith } from '../../api/client.ts';
import type {
  EventWithBilling,
  Invoice,
  List,
  Plan,
  UpcomingInvoice,
  UpcomingLineItem,
  UsageEvent,
} from '../../api/objects.ts';
import { useLoad } from '../../api/use-load.ts';
import { dayIn } from '../../components/instant.ts';
import { Notice } from '../../components/notice.tsx';
import { grouped } from '../../components/grouped.ts';
import { Money } from '../../components/values.tsx';
import { Link } from '../../shell/environment.tsx';
import { useMay } from '../../shell/session.tsx';
import { monthInWords } from '../month-end/month.ts';
import type { Replaceable } from './replaceable.ts';

/** Events that are counted one by one. */
const COUNTED_MAX = '200';

type InvoiceProps = { invoice: Invoice; replaceable: Replaceable };

/** Says what arrived since an invoice was issued, what that adds, and on which invoice; nothing while nothing did. */
export function ArrivedSince(props: InvoiceProps) {
  const { status, kind } = props.invoice;
  const is_issued = status === 'open' || status === 'paid';
  return is_issued && kind === 'period' ? <Arrivals {...props} /> : null;
}

function Arrivals({ invoice, replaceable }: InvoiceProps) {
  const late = useArrived(invoice, 'late');
  const too_late = useArrived(invoice, 'too_late');
  return (
    <>
      {late !== null && <Late invoice={invoice} replaceable={replaceable} events={late} />}
      {too_late !== null && <TooLate invoice={invoice} replaceable={replaceable} events={too_late} />}
    </>
  );
}

/**
 * The events of the period that have a status and that the plan counts; null without any. Of one customer, the status
 * may be of another subscription.
 */
function useArrived({ customer_id, plan_id, period_start, period_end }: Invoice, billing_status: string) {
  const query = { customer_id, billing_status, from: period_start, to: period_end, limit: COUNTED_MAX };
  const events = useLoad<List<UsageEvent>>(pathWith('/v1/events', query)).value;
  const has_some = events !== null && events.data.length > 0;
  const plan = useLoad<Plan>(has_some ? `/v1/pricing-plans/${plan_id}` : null).value;
  if (events === null || plan === null) return null;
  const names = plan.charges.map(({ event_name }) => event_name);
  const data = events.data.filter(({ event_name }) => names.includes(event_name));
  return data.length === 0 ? null : { ...events, data };
}

type EventsProps = InvoiceProps & { events: List<UsageEvent> };

function Late({ invoice, replaceable, events }: EventsProps) {
  const may_regenerate = useMay('regenerateInvoice') && replaceable?.is_replaceable === true;
  const { subscription_id } = invoice;
  const upcoming = useLoad<UpcomingInvoice>(`/v1/subscriptions/${subscription_id}/upcoming-invoice`);
  const bill = upcoming.value;
  // An opening invoice takes no late usage.
  const lines =
    bill === null || bill.kind === 'opening' ? null : bill.line_items.filter(isLateLineOf(invoice));
  // Events that add nothing make no line; events of another subscription of the customer make none here either.
  const is_in_doubt = bill !== null && (lines === null || lines.length === 0);
  const newest = useLoad<EventWithBilling>(is_in_doubt ? `/v1/events/${events.data[0]!.id}` : null).value;
  const is_own = newest?.billing.some(
    (billing) => billing.subscription_id === subscription_id && billing.status === 'late',
  );
  if (is_in_doubt ? !is_own : bill === null && upcoming.fault === null) return null;
  const is_last = upcoming.fault?.details[0]?.reason === 'invalid_state';
  return (
    <Notice kind="attention">
      <p>
        <strong>
          <Count events={events} invoice={invoice} status="late" /> arrived since
          {lines !== null && <Adds lines={lines} invoice={invoice} />}.
        </strong>{' '}
        {is_last ? (
          <OnlyRegenerated invoice={invoice} replaceable={replaceable} before="No invoice follows" />
        ) : (
          <>
            {events.data.length === 1 ? 'It is' : 'They are'} billed on the{' '}
            <Link to={`/subscriptions/${subscription_id}`}>next invoice of the subscription</Link>
            {may_regenerate && (
              <>
                , or <Regenerate invoice={invoice} />
              </>
            )}
            .
          </>
        )}
      </p>
    </Notice>
  );
}

/** The late lines of a bill for the full period of an invoice, which is longer than its own where it was cut. */
function isLateLineOf({ period_start, period_end }: Invoice): (line: UpcomingLineItem) => boolean {
  return (line) =>
    line.type === 'late_usage' && line.period_start <= period_start && period_end <= line.period_end;
}

/** ": adds 0.12 EUR": the sum of the late lines, which are net, beside all parts of the period. */
function Adds({ lines, invoice }: { lines: readonly UpcomingLineItem[]; invoice: Invoice }) {
  const net = totalOf([leftOf(invoice.total, invoice.total), ...lines.map(({ amount }) => amount)]);
  // A line that would take the next invoice below zero has the amount 0, and is credited where it was billed
  // (billing.md 5).
  const is_credited = lines.some(({ amount, quantity }) => isZero(amount) && quantity.startsWith('-'));
  const is_cut = lines.some(({ period_start, period_end }) => {
    return period_start !== invoice.period_start || period_end !== invoice.period_end;
  });
  if (is_credited) return <>, and lowers what was billed: the next invoice makes a credit note of the rest</>;
  return (
    <>
      {is_cut && ', with those of the other parts of the period'}: {isAbove('0', net) ? 'takes off' : 'adds'}{' '}
      <Money amount={isAbove('0', net) ? negated(net) : net} currency={invoice.currency} />
      {!isZero(invoice.tax.rate) && ' before tax'}
    </>
  );
}

function TooLate({ invoice, replaceable, events }: EventsProps) {
  return (
    <Notice kind="attention">
      <p>
        <strong>
          <Count events={events} invoice={invoice} status="too_late" /> arrived too late for a later invoice.
        </strong>{' '}
        <OnlyRegenerated invoice={invoice} replaceable={replaceable} before="No invoice bills this usage" />
      </p>
    </Notice>
  );
}

type CountProps = { events: List<UsageEvent>; invoice: Invoice; status: string };

/** "3 events", as a link to these. */
function Count({ events: { data, has_more }, invoice, status }: CountProps) {
  const { customer_id, period_start, period_end } = invoice;
  const count = grouped(`${data.length}`);
  const last = new Date(Date.parse(period_end) - 1).toISOString();
  // The list of events goes by days of UTC.
  const query = {
    customer_id,
    billing_status: status,
    from: dayIn('UTC', period_start),
    to: dayIn('UTC', last),
  };
  return (
    <Link to={pathWith('/events', query)}>
      {has_more && 'more than '}
      {count} {data.length === 1 && !has_more ? 'event' : 'events'}
    </Link>
  );
}

type OnlyProps = InvoiceProps & { before: string };

/**
 * Says of events that no other invoice takes how to regenerate this one, to those who may; else why it cannot be.
 */
function OnlyRegenerated({ invoice, replaceable, before }: OnlyProps) {
  const may = useMay('regenerateInvoice');
  if (replaceable === null) return <>{before}.</>;
  const { is_replaceable, closed_month } = replaceable;
  if (closed_month !== null)
    return (
      <>
        {before}: {monthInWords(closed_month)} is closed, which keeps this one from being regenerated.
      </>
    );
  if (!is_replaceable)
    return <>{before}, because a payment or a credit note keeps this one from being regenerated.</>;
  return (
    <>
      {before}, unless{' '}
      {may ? (
        <>
          you <Regenerate invoice={invoice} />
        </>
      ) : (
        'this one is regenerated'
      )}
      .
    </>
  );
}

function Regenerate({ invoice: { id } }: { invoice: Invoice }) {
  return <Link to={`/invoices/${id}/regenerate`}>regenerate this one</Link>;
}
