import { isZero } from '../../../../src/domain/money/figures.ts';
import type { Invoice, InvoiceChange, LineItem, RegenerationPreview } from '../../api/objects.ts';
import { Badge } from '../../components/badge.tsx';
import { Disclosure } from '../../components/disclosure.tsx';
import { Notice } from '../../components/notice.tsx';
import { Section } from '../../components/page.tsx';
import { ShortId } from '../../components/short-id.tsx';
import { Table, type Column } from '../../components/table.tsx';
import { grouped } from '../../components/grouped.ts';
import { Money, words } from '../../components/values.tsx';
import { Link } from '../../shell/environment.tsx';
import { differenceInWords } from './comparison-words.ts';
import { Differences } from './comparison.tsx';
import { titleOf } from './invoice-title.ts';
import { lineKey, seriesKey } from './line-key.ts';

type PreviewProps = { preview: RegenerationPreview };

/** The invoice as it is against the one that would replace it, line by line. */
export function InvoiceDiff({ preview }: PreviewProps) {
  const { current, proposed, changes, comparison } = preview;
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
      {!isZero(comparison.difference) && (
        <Section title={`${differenceInWords(comparison)} now`}>
          <Differences
            comparison={comparison}
            bill={proposed}
            name="Billed again"
            with_name={titleOf(current)}
          />
        </Section>
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

type LineOfBoth = {
  key: string;
  line: LineItem;
  status: 'unchanged' | 'changed' | 'added' | 'removed';
  changes: InvoiceChange[];
};

function linesOf({ current, proposed, changes }: RegenerationPreview): LineOfBoth[] {
  const isIn = ({ line_items }: Invoice, key: string) => line_items.some((line) => lineKey(line) === key);
  const gone = current.line_items.filter((line) => !isIn(proposed, lineKey(line)));
  return [...proposed.line_items, ...gone].map((line) => {
    const key = lineKey(line);
    const line_changes = changes.filter(({ line_item }) => line_item !== null && lineKey(line_item) === key);
    const changed = line_changes.length === 0 ? 'unchanged' : 'changed';
    const added = isIn(current, key) ? changed : 'added';
    return { key, line, changes: line_changes, status: isIn(proposed, key) ? added : 'removed' };
  });
}

function LineDiff({ line: { line, status, changes }, currency }: { line: LineOfBoth; currency: string }) {
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
  /** Name of the object that the changes are of. */
  name: string;
  /** Text where there is no change. */
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
  return (
    <Section title="Additional events">
      {events_added.map((added) => (
        <Disclosure
          key={`${added.charge_id} ${added.period_start} ${seriesKey(added)}`}
          summary={`${grouped(`${added.count}`)} ${nameOf(added, proposed)}`}
        >
          {added.count > added.event_ids.length && (
            <p class="faint">The newest {added.event_ids.length} events:</p>
          )}
          <ul class="ids">
            {added.event_ids.map((id) => (
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

type Added = RegenerationPreview['events_added'][number];

/** "api_call events", with the line that will bill them where the charge has several. */
function nameOf(added: Added, { line_items }: Invoice): string {
  const lines = line_items.filter(({ charge_id }) => charge_id === added.charge_id);
  const events = `${lines[0]?.event_name ?? added.charge_id} ${added.count === 1 ? 'event' : 'events'}`;
  const own_line = lines.find((line) => seriesKey(line) === seriesKey(added));
  const is_divided = added.price_index !== null || added.group !== null || added.others;
  return is_divided && own_line !== undefined ? `${events}, billed as ${own_line.description}` : events;
}
