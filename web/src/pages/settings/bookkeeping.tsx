import { useState } from 'preact/hooks';
import type { Account } from '../../api/objects.ts';
import { Field, Form, Select, useFieldFault, wholeNumberOf, type Values } from '../../components/form.tsx';
import { Section } from '../../components/page.tsx';
import { words } from '../../components/values.tsx';
import { useClient, useMay, useSession } from '../../shell/session.tsx';
import { TREATMENTS } from '../customers/edit-customer.tsx';
import { withItem, withoutItem } from '../plans/draft-parts.ts';

type AccountNumber = Account['account_numbers'][number];
/** A row of the form: texts as they are entered, empty for none. */
type Row = Record<keyof AccountNumber, string>;

const NUMBERS_MAX = 100;
const NEW_ROW: Row = { account: 'receivable', tax_treatment: '', tax_rate: '', number: '', tax_key: '' };

/** Form for the bookkeeper's numbers of the accounts of the journal, and for the head of files for DATEV. */
export function Bookkeeping({ account }: { account: Account }) {
  const client = useClient();
  const { ask } = useSession();
  const may_change = useMay('updateAccount');
  const [rows, setRows] = useState<readonly Row[]>(() => account.account_numbers.map(rowOf));
  const save = async (values: Values) => {
    await client.patch('/v1/account', { account_numbers: rows.map(sentOf), datev: datevOf(values) });
    ask();
  };
  return (
    <Section title="Bookkeeping">
      <p class="lead">
        The numbers that your bookkeeper has for the accounts of the journal. Of the numbers that fit an
        invoice the closest holds: treatment and rate, then exempt or reverse charge alone, then a rate alone,
        then taxed alone, then neither.
      </p>
      <fieldset class="plain wide-form" disabled={!may_change}>
        <Form submit_label="Update bookkeeping" submit={save} done_label="Updated." shape={`${rows.length}`}>
          <Rows rows={rows} change={setRows} />
          <DatevFields datev={account.datev} />
        </Form>
      </fieldset>
    </Section>
  );
}

type RowsProps = { rows: readonly Row[]; change: (rows: readonly Row[]) => void };

function Rows({ rows, change }: RowsProps) {
  const fault = useFieldFault('account_numbers');
  return (
    <fieldset name="account_numbers">
      <legend>Numbers of accounts</legend>
      {fault !== null && <p class="field-fault">{fault}</p>}
      {rows.map((row, place) => (
        <OneRow
          key={place}
          place={place}
          row={row}
          change={(changed) => change(withItem(rows, place, changed))}
          remove={() => change(withoutItem(rows, place))}
        />
      ))}
      <div class="form-buttons">
        <button
          type="button"
          disabled={rows.length >= NUMBERS_MAX}
          onClick={() => change([...rows, NEW_ROW])}
        >
          Add a number
        </button>
      </div>
    </fieldset>
  );
}

/** Accounts whose numbers may depend on the tax of a document, and the one that has a key of DATEV. */
const TAXED: readonly string[] = ['revenue', 'tax_payable'] satisfies AccountNumber['account'][];
const KEYED = 'revenue' satisfies AccountNumber['account'];

const ACCOUNTS = [
  'receivable',
  'revenue',
  'tax_payable',
  'customer_balance',
  'cash',
  'adjustments',
] satisfies AccountNumber['account'][];

const TREATMENT_OPTIONS = [
  { value: '', label: 'Any' },
  ...Object.entries(TREATMENTS).map(([value, label]) => ({ value, label })),
];

type OneRowProps = { place: number; row: Row; change: (row: Row) => void; remove: () => void };

function OneRow({ place, row, change, remove }: OneRowProps) {
  const name = `account_numbers[${place}]`;
  const fault = useFieldFault(name);
  const set = (member: keyof Row) => (text: string) => change({ ...row, [member]: text });
  return (
    <div class="plan-fields" role="group" aria-label={`Number ${place + 1}`}>
      <Select
        name={`${name}.account`}
        label="Account"
        value={row.account}
        options={ACCOUNTS.map((account) => ({ value: account, label: words(account) }))}
        change={(account) => change({ ...NEW_ROW, account, number: row.number })}
      />
      <Field
        name={`${name}.number`}
        label="Number"
        keyboard="numeric"
        value={row.number}
        change={set('number')}
      />
      {TAXED.includes(row.account) && (
        <>
          <Select
            name={`${name}.tax_treatment`}
            label="Of documents that are"
            value={row.tax_treatment}
            options={TREATMENT_OPTIONS}
            change={set('tax_treatment')}
          />
          <Field
            name={`${name}.tax_rate`}
            label="At a tax rate of"
            hint="In percent; if empty, any."
            keyboard="decimal"
            value={row.tax_rate}
            change={set('tax_rate')}
          />
        </>
      )}
      {row.account === KEYED && (
        <Field
          name={`${name}.tax_key`}
          label="Tax key of DATEV"
          hint="If empty, the account itself takes the tax out."
          keyboard="numeric"
          value={row.tax_key}
          change={set('tax_key')}
        />
      )}
      {fault !== null && <p class="field-fault">{fault}</p>}
      <div class="form-buttons">
        <button type="button" onClick={remove}>
          Remove<span class="unseen"> number {place + 1}</span>
        </button>
      </div>
    </div>
  );
}

function rowOf({ account, tax_treatment, tax_rate, number, tax_key }: AccountNumber): Row {
  return {
    account,
    tax_treatment: tax_treatment ?? '',
    tax_rate: tax_rate ?? '',
    number,
    tax_key: tax_key ?? '',
  };
}

/** A row as it is sent: an empty field is left out, but for the number. */
function sentOf({ account, number, ...rest }: Row): object {
  const filled = Object.entries(rest).filter(([, text]) => text.trim() !== '');
  return { account, number: number.trim(), ...Object.fromEntries(filled) };
}

const DATEV_FIELDS = [
  [
    'consultant',
    'Consultant number',
    'Of your tax adviser. Empty with the three others: no files for DATEV.',
  ],
  ['client', 'Client number', 'The number that your tax adviser gave your company.'],
  ['fiscal_year_start', 'First day of the fiscal year', 'The first of a month, such as 01-01.'],
  ['account_length', 'Digits of account numbers', '4 to 8; the accounts of customers have one more.'],
] as const;

function DatevFields({ datev }: Pick<Account, 'datev'>) {
  const fault = useFieldFault('datev');
  return (
    <fieldset name="datev">
      <legend>DATEV</legend>
      {fault !== null && <p class="field-fault">{fault}</p>}
      <div class="plan-fields">
        {DATEV_FIELDS.map(([name, label, hint]) => (
          <Field
            key={name}
            name={`datev.${name}`}
            label={label}
            hint={hint}
            {...(name === 'fiscal_year_start' ? {} : { keyboard: 'numeric' })}
            initial={datev === null ? '' : `${datev[name]}`}
          />
        ))}
      </div>
    </fieldset>
  );
}

/** The head of the form's fields; null if all of them are empty. */
function datevOf(values: Values): object | null {
  const filled = DATEV_FIELDS.flatMap(([name]) => {
    const text = values[`datev.${name}`]?.trim() ?? '';
    if (text === '') return [];
    return [[name, name === 'fiscal_year_start' ? text : wholeNumberOf(text)] as const];
  });
  return filled.length === 0 ? null : Object.fromEntries(filled);
}
