import { isAbove, isZero } from '../../../../src/domain/money/figures.ts';
import { Field } from '../../components/form.tsx';
import { Table, type Column } from '../../components/table.tsx';
import { Money } from '../../components/values.tsx';
import type { Amounts, Creditable, CreditableLine } from './creditable.ts';

type CreditLinesProps = {
  creditable: Creditable;
  /** Lines with an amount, in the order of the request. */
  ids: readonly string[];
  amounts: Amounts;
  change: (amounts: Amounts) => void;
};

/** The lines of an invoice, each with a field for what to credit of it, unless all is credited. */
export function CreditLines({ creditable, ids, amounts, change }: CreditLinesProps) {
  const { currency } = creditable.invoice;
  const columns: readonly Column<CreditableLine>[] = [
    { title: 'Line item', show: ({ line }) => <span class="wide-text">{line.description}</span> },
    {
      title: 'Amount',
      show: ({ line }) => <Money amount={line.amount} currency={currency} />,
      is_number: true,
    },
    {
      title: 'Left to credit',
      show: ({ left }) =>
        isZero(left) ? <span class="faint">nothing</span> : <Money amount={left} currency={currency} />,
      is_number: true,
    },
    {
      title: `Credit, net, in ${currency}`,
      show: ({ line: { id, description }, left }) =>
        amounts === 'all'
          ? !isZero(left) && <Money amount={left} currency={currency} />
          : isAbove(left, '0') && (
              <Field
                name={ids.includes(id) ? `lines[${ids.indexOf(id)}].amount` : `without ${id}`}
                label={`Credit of: ${description}`}
                keyboard="decimal"
                value={amounts[id] ?? ''}
                change={(amount) => change({ ...amounts, [id]: amount })}
              />
            ),
    },
  ];
  return (
    <div class="credit-lines stack">
      <div class="form-buttons">
        <button type="button" onClick={() => change('all')}>
          Credit all
        </button>
        {(amounts === 'all' || ids.length > 0) && (
          <button type="button" onClick={() => change({})}>
            Clear
          </button>
        )}
      </div>
      <Table
        caption="Line items to credit"
        items={creditable.lines}
        keyOf={({ line }) => line.id}
        columns={columns}
      />
    </div>
  );
}
