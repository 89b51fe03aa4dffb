import { ActionButton } from '../../components/action-button.tsx';
import { Badge } from '../../components/badge.tsx';
import { grouped } from '../../components/grouped.ts';
import { Waiting } from '../../components/loading.tsx';
import { FaultNotice, Notice } from '../../components/notice.tsx';
import { Section } from '../../components/page.tsx';
import { Table, type Column } from '../../components/table.tsx';
import { Cut, Money } from '../../components/values.tsx';
import type { MatchCandidate } from '../../api/objects.ts';
import { sentenceOf } from '../../api/use-refusal.ts';
import { isZero } from '../../../../src/domain/money/figures.ts';
import { Link } from '../../shell/environment.tsx';
import { CustomerLink } from '../parts/links.tsx';
import type { ReadRows } from './bank-rows.ts';
import {
  isDuplicate,
  offeredTo,
  readyOf,
  transferOf,
  useBooking,
  type Booking,
  type Entry,
} from './booking.ts';
import { FindInvoice } from './find-invoice.tsx';

/** Lines without what they need that are named one by one. */
const NAMED_MAX = 20;

/** The rows of a bank's file with what they pay, and the button that books them. */
export function MatchedRows({ read: { rows, lacking } }: { read: ReadRows }) {
  const booking = useBooking(rows);
  const { entries, fault, matchAgain } = booking;
  return (
    <>
      <Lacking lacking={lacking} />
      {fault !== null && <FaultNotice fault={fault} retry={matchAgain} />}
      {fault === null && entries === null && <Waiting />}
      {entries !== null && entries.length > 0 && <Rows entries={entries} booking={booking} />}
    </>
  );
}

/** The lines that nothing is booked of, because a row needs more than they have. */
function Lacking({ lacking }: Pick<ReadRows, 'lacking'>) {
  if (lacking.length === 0) return null;
  const more = lacking.length - NAMED_MAX;
  return (
    <Notice kind="attention">
      <p>Nothing is booked of lines that lack something:</p>
      <ul>
        {lacking.slice(0, NAMED_MAX).map(({ line, what }) => (
          <li key={line}>{`Line ${line} lacks ${what}.`}</li>
        ))}
        {more > 0 && <li>{`${more} more`}</li>}
      </ul>
    </Notice>
  );
}

function Rows({ entries, booking: { change, book } }: { entries: readonly Entry[]; booking: Booking }) {
  const ready = readyOf(entries).length;
  const booked = entries.filter(({ outcome }) => outcome?.state === 'booked').length;
  return (
    <Section
      title="Rows"
      actions={
        <>
          {booked > 0 && <span role="status">{`${booked} booked`}</span>}
          {ready > 0 && (
            <ActionButton
              label={ready === 1 ? 'Book 1 transfer' : `Book ${ready} transfers`}
              kind="primary"
              done_label=""
              perform={book}
            />
          )}
        </>
      }
    >
      <Table
        caption="Rows of the file"
        items={entries}
        keyOf={({ row }) => `${row.line}`}
        columns={columnsOf(change)}
      />
    </Section>
  );
}

function columnsOf(change: Booking['change']): readonly Column<Entry>[] {
  return [
    { title: 'Day', show: ({ row }) => <span class="nowrap">{row.paid_at}</span> },
    {
      title: 'Amount',
      show: ({ row: { amount, currency } }) => <Money amount={amount} currency={currency} />,
      is_number: true,
    },
    {
      title: 'Reference',
      show: ({ row: { reference, name } }) => (
        <>
          <Cut text={reference} />
          {name !== undefined && <div class="faint">{name}</div>}
        </>
      ),
    },
    { title: 'Row', show: (entry) => <State entry={entry} /> },
    { title: 'Pays', show: (entry) => <Pays entry={entry} change={change} /> },
    { title: 'Book', show: (entry) => <Book entry={entry} change={change} /> },
  ];
}

function State({ entry: { match, outcome } }: { entry: Entry }) {
  if (outcome === null) return <Badge status={match.status} />;
  if (outcome.state !== 'refused') return <Badge status={outcome.state} />;
  return (
    <>
      <Badge status="refused" />
      <div class="field-fault" role="alert">
        {sentenceOf(outcome.fault.message)}
      </div>
    </>
  );
}

type PaysProps = { entry: Entry; change: Booking['change'] };

function Pays({ entry, change }: PaysProps) {
  const { row, match, outcome } = entry;
  const { status, customer_id, invoices, to_balance } = match;
  if ((status === 'unmatched' || status === 'ambiguous') && outcome?.state !== 'booked')
    return (
      <>
        <Candidates entry={entry} change={change} />
        <FindInvoice entry={entry} change={change} />
      </>
    );
  const paid_by = outcome?.state === 'booked' ? outcome.transfer.customer_id : customer_id;
  if (paid_by === null) return <span class="faint">–</span>;
  return (
    <>
      <CustomerLink id={paid_by} />
      {invoices.map(({ id, number, amount }) => (
        <div key={id}>
          <Link to={`/invoices/${id}`}>{number}</Link> {grouped(amount)}
        </div>
      ))}
      {!isZero(to_balance) && (
        <div class="faint">{`${grouped(to_balance)} ${row.currency} to the balance`}</div>
      )}
    </>
  );
}

/** The invoices that may be meant; those of one customer can be chosen together. */
function Candidates({ entry, change }: PaysProps) {
  const { row, picked } = entry;
  const offered = offeredTo(entry);
  const isPicked = ({ id }: MatchCandidate) => picked.some((candidate) => candidate.id === id);
  const toggle = (toggled: MatchCandidate) =>
    change(entry, {
      is_left_out: false,
      outcome: null,
      picked: offered.filter((candidate) =>
        candidate.id === toggled.id
          ? !isPicked(candidate)
          : isPicked(candidate) && candidate.customer_id === toggled.customer_id,
      ),
    });
  return offered.map((candidate) => (
    <label key={candidate.id} class="check-line">
      <input type="checkbox" class="check" checked={isPicked(candidate)} onChange={() => toggle(candidate)} />
      <span>
        {`${candidate.number}, ${grouped(candidate.amount)} ${row.currency}, `}
        <CustomerLink id={candidate.customer_id} />
      </span>
    </label>
  ));
}

function Book({ entry, change }: PaysProps) {
  const { row, is_left_out, outcome } = entry;
  if (transferOf(entry) === null || outcome?.state === 'booked') return null;
  const is_duplicate = isDuplicate(entry);
  return (
    <label class="check-line">
      <input
        type="checkbox"
        class="check"
        aria-label={is_duplicate ? `Book line ${row.line} as a second payment` : `Book line ${row.line}`}
        checked={!is_left_out}
        onChange={() => change(entry, { is_left_out: !is_left_out })}
      />
      {is_duplicate && <span>as a second payment</span>}
    </label>
  );
}
