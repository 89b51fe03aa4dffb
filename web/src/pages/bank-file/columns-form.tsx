import { Form, Select, type Values } from '../../components/form.tsx';
import type { BankTable } from './bank-table.ts';
import { DAY_ORDERS, type Columns } from './bank-rows.ts';

const DAYS: Readonly<Record<(typeof DAY_ORDERS)[number], string>> = {
  ymd: '2027-03-31',
  dmy: '31.03.2027',
  mdy: '03/31/2027',
};

type ColumnsFormProps = {
  table: BankTable;
  /** The currency of the account. */
  currency: string;
  initial: Columns | null;
  apply: (columns: Columns) => void;
};

/** Asks which columns of a file have what a row needs. */
export function ColumnsForm({ table, currency, initial, apply }: ColumnsFormProps) {
  const titles = [...new Set(table.titles)].filter((title) => title !== '');
  const needed = titles.map((title) => ({ value: title, label: labelOf(table, title) }));
  const choice = (none: string) => [{ value: '', label: none }, ...needed];
  const submit = (values: Values) => {
    apply(columnsOf(values));
    return Promise.resolve();
  };
  return (
    <Form submit_label="Show the rows" submit={submit}>
      <Select name="paid_at" label="Day" options={needed} value={initial?.paid_at ?? ''} />
      <Select
        name="day_order"
        label="Days are written as"
        options={DAY_ORDERS.map((value) => ({ value, label: DAYS[value] }))}
        value={initial?.day_order ?? 'ymd'}
      />
      <Select name="amount" label="Amount" options={needed} value={initial?.amount ?? ''} />
      <Select
        name="decimal_sign"
        label="Amounts are written as"
        options={[
          { value: '.', label: '1,234.50' },
          { value: ',', label: '1.234,50' },
        ]}
        value={initial?.decimal_sign ?? '.'}
      />
      <Select
        name="currency"
        label="Currency"
        options={choice(`${currency} in all rows`)}
        value={initial?.currency ?? ''}
      />
      <Select name="reference" label="Reference" options={needed} value={initial?.reference ?? ''} />
      <Select name="name" label="Name of the payer" options={choice('None')} value={initial?.name ?? ''} />
    </Form>
  );
}

/** A title, with what the first line has there. */
function labelOf({ titles, lines }: BankTable, title: string): string {
  const first = lines[0]?.cells[titles.indexOf(title)] ?? '';
  return first === '' ? title : `${title} (${first.slice(0, 40)})`;
}

function columnsOf(values: Values): Columns {
  const {
    paid_at = '',
    amount = '',
    reference = '',
    currency = '',
    name = '',
    day_order,
    decimal_sign,
  } = values;
  return {
    paid_at,
    amount,
    reference,
    currency: currency === '' ? null : currency,
    name: name === '' ? null : name,
    day_order: DAY_ORDERS.find((order) => order === day_order) ?? 'ymd',
    decimal_sign: decimal_sign === ',' ? ',' : '.',
  };
}
