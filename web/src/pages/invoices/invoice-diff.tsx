import type { Invoice, InvoiceChange, LineItem, RegenerationPreview } from '../../api/objects.ts';
import { Badge } from '../../components/badge.tsx';
import { Disclosure } from '../../components/disclosure.tsx';
import { Notice } from '../../components/notice.tsx';
import { Section } from '../../components/page.tsx';
import { ShortId } from '../../components/short-id.tsx';
import { Table, type Column } from '../../components/table.tsx';
import { grouped, Money, words } from '../../components/values.tsx';
import { Link } from '../../shell/environment.tsx';

type PreviewProps = { preview: RegenerationPreview };

/** The invoice as it is against the one that would replace it, line by line. */
export function InvoiceDiff({ preview }: PreviewProps) {
  const { current, proposed, changes } = preview;
  return (
    <div class="diff">
      {changes.length === 0 ? (
        <Notice kind="good">
          <p>
            <strong>Nothing would change.</strong> Every line and every total would be the same.
          </p>
        </Notice>
      ) : (
        <p class="total-change">
          Total <Money amount={current.total} currency={current.currency} /> →{' '}
          <strong>
            <Money amount={proposed.total} currency={proposed.currency} />
          </strong>
        </p>
      )}
      <Section title="Line by line">
        <ul class="lines">
          {linesOf(preview).map((line) => (
            <li key={line.key} class="diff-line">
              <LineDiff line={line} currency={current.currency} />
            </li>
          ))}
        </ul>
      </Section>
      <Section title="Totals">
        <Changes
          changes={changes.filter(({ line_item }) => line_item === null)}
          none="The totals do not change."
          name="the totals"
        />
      </Section>
      <AddedEvents preview={preview} />
    </div>
  );
}

type ComparedLine = {
  key: string;
  line: LineItem;
  status: 'unchanged' | 'changed' | 'added' | 'removed';
  changes: InvoiceChange[];
};

/** What tells lines of two versions apart: their ids differ. */
type LineName = Pick<LineItem, 'charge_id' | 'invoice_item' | 'type' | 'period_start'>;
const keyOf = ({ charge_id, invoice_item, type, period_start }: LineName) =>
  `${charge_id ?? invoice_item?.id} ${type} ${period_start}`;

function linesOf({ current, proposed, changes }: RegenerationPreview): ComparedLine[] {
  const isIn = ({ line_items }: Invoice, key: string) => line_items.some((line) => keyOf(line) === key);
  const gone = current.line_items.filter((line) => !isIn(proposed, keyOf(line)));
  return [...proposed.line_items, ...gone].map((line) => {
    const key = keyOf(line);
    const own = changes.filter(({ line_item }) => line_item !== null && keyOf(line_item) === key);
    const changed = own.length === 0 ? 'unchanged' : 'changed';
    const added = isIn(current, key) ? changed : 'added';
    return { key, line, changes: own, status: isIn(proposed, key) ? added : 'removed' };
  });
}

function LineDiff({ line: { line, status, changes }, currency }: { line: ComparedLine; currency: string }) {
  return (
    <>
      <p class="line">
        <span class="line-words">{line.description}</span>
        <Badge status={status} />
        {status === 'unchanged' && <Money amount={line.amount} currency={currency} />}
      </p>
      {changes.length > 0 && <Changes changes={changes} none="" name={line.description} />}
    </>
  );
}

type ChangesProps = {
  changes: readonly InvoiceChange[];
  /** Whose changes they are. */
  name: string;
  /** Said where there is none. */
  none: string;
};

function Changes({ changes, name, none }: ChangesProps) {
  if (changes.length === 0) return <p class="faint">{none}</p>;
  return (
    <Table
      caption={`Changes of: ${name}`}
      keyOf={({ field }) => field}
      items={changes}
      columns={CHANGE_COLUMNS}
    />
  );
}

const FIELDS: Readonly<Record<string, string>> = { 'tax.rate': 'tax rate, percent', 'tax.amount': 'tax' };

const CHANGE_COLUMNS: readonly Column<InvoiceChange>[] = [
  { title: 'Field', show: ({ field }) => FIELDS[field] ?? words(field) },
  {
    title: 'Current',
    show: ({ before }) => (before === null ? '–' : <del>{grouped(before)}</del>),
    is_number: true,
  },
  {
    title: 'Proposed',
    show: ({ after }) => (after === null ? '–' : <ins>{grouped(after)}</ins>),
    is_number: true,
  },
];

function AddedEvents({ preview: { events_added, proposed } }: PreviewProps) {
  if (events_added.length === 0) return null;
  const nameOf = (charge_id: string) =>
    proposed.line_items.find((line) => line.charge_id === charge_id)?.event_name ?? charge_id;
  return (
    <Section title="Additional events">
      {events_added.map(({ charge_id, period_start, count, event_ids }) => (
        <Disclosure
          key={`${charge_id} ${period_start}`}
          summary={`${grouped(`${count}`)} ${nameOf(charge_id)} ${count === 1 ? 'event' : 'events'}`}
        >
          {count > event_ids.length && <p class="faint">The newest {event_ids.length} events:</p>}
          <ul class="ids">
            {event_ids.map((id) => (
              <li key={id}>
                <ShortId
                  id={id}
                  what="the event’s id"
                  show={(short) => <Link to={`/events/${id}`}>{short}</Link>}
                />
              </li>
            ))}
          </ul>
        </Disclosure>
      ))}
    </Section>
  );
}
