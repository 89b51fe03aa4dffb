import { isZero } from '../../../../src/domain/money/figures.ts';
import { pathWith } from '../../api/client.ts';
import type { ComparedLine, Invoice, InvoiceComparison } from '../../api/objects.ts';
import { BarRows } from '../../components/bar-rows.tsx';
import { CopyButton } from '../../components/copy.tsx';
import { dayIn } from '../../components/instant.ts';
import { Table, type Column } from '../../components/table.tsx';
import { grouped } from '../../components/grouped.ts';
import { Quantity } from '../../components/values.tsx';
import { Link } from '../../shell/environment.tsx';
import { useMay } from '../../shell/session.tsx';
import { causesInWords, comparisonAsText, signed } from './comparison-words.ts';

/** The most lines that are drawn; the table has all. */
const BARS_MAX = 20;

/** An invoice, made or still to come, as far as it is compared. */
export type ComparedBill = Pick<Invoice, 'customer_id' | 'period_start' | 'period_end' | 'timezone'> & {
  id?: string;
};

type DifferencesProps = {
  comparison: InvoiceComparison;
  bill: ComparedBill;
  /** Names of the invoice that is compared, and of the other one. */
  name: string;
  with_name: string;
};

/** A bar for each line that differs, with its causes. */
export function Differences({ comparison, bill, name, with_name }: DifferencesProps) {
  const { lines, currency } = comparison;
  const differing = lines.filter(({ difference }) => !isZero(difference));
  const equal = lines.filter((line) => isZero(line.difference) && !isZero(line.amount));
  return (
    <div class="stack">
      {differing.length === 0 ? (
        <p class="faint">No line differs.</p>
      ) : (
        <BarRows
          title={`Differences from ${with_name}`}
          bars={differing.slice(0, BARS_MAX).map((line, place) => ({
            key: `${place}`,
            label: <LineTitle line={line} bill={bill} />,
            value: line.difference,
            shown: (
              <span class="number">
                {signed(line.difference)} <span class="unit">{currency}</span>
              </span>
            ),
            note: causesInWords(line),
          }))}
          table={<LinesTable lines={lines} with_name={with_name} />}
        />
      )}
      {differing.length > BARS_MAX && (
        <p class="faint">
          The {BARS_MAX} greatest differences of {differing.length}; the table has all lines.
        </p>
      )}
      {equal.length > 0 && <p class="faint">Unchanged: {equal.map(({ title }) => title).join(', ')}.</p>}
      <p>
        <CopyButton
          text={comparisonAsText(comparison, name, with_name)}
          what="the comparison"
          label="Copy as text"
        />
      </p>
    </div>
  );
}

/** The title of a line; of usage a link to its events in the period of the bill. */
function LineTitle({ line, bill }: { line: ComparedLine; bill: ComparedBill }) {
  const may_list = useMay('listEvents');
  if (line.kind !== 'usage' || line.event_name === null || !may_list) return <>{line.title}</>;
  const last = new Date(Date.parse(bill.period_end) - 1).toISOString();
  // The list of events goes by days of UTC.
  const query = {
    customer_id: bill.customer_id,
    event_name: line.event_name,
    from: dayIn('UTC', bill.period_start),
    to: dayIn('UTC', last),
  };
  return <Link to={pathWith('/events', query)}>{line.title}</Link>;
}

function LinesTable({ lines, with_name }: { lines: readonly ComparedLine[]; with_name: string }) {
  return (
    <Table
      caption={`Each line beside ${with_name}`}
      keyOf={(line) => `${lines.indexOf(line)}`}
      items={lines}
      columns={COLUMNS}
    />
  );
}

const quantity = (title: string, valueOf: (line: ComparedLine) => string | null): Column<ComparedLine> => ({
  title,
  show: (line) => {
    const value = line.kind === 'usage' || line.kind === 'item' ? valueOf(line) : null;
    return value === null ? '–' : <Quantity value={value} />;
  },
  is_number: true,
});

const COLUMNS: readonly Column<ComparedLine>[] = [
  { title: 'Line', show: ({ title }) => <span class="wide-text">{title}</span> },
  quantity('Quantity before', ({ with_quantity }) => with_quantity),
  quantity('Quantity', ({ quantity: now }) => now),
  { title: 'Before', show: ({ with_amount }) => grouped(with_amount), is_number: true },
  { title: 'Amount', show: ({ amount }) => grouped(amount), is_number: true },
  { title: 'Difference', show: ({ difference }) => signed(difference), is_number: true },
  { title: 'Causes', show: (line) => causesInWords(line) || '–' },
];
