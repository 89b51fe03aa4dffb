import type { TargetedInputEvent } from 'preact';
import { useState } from 'preact/hooks';
import { Disclosure } from '../../components/disclosure.tsx';
import { Notice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { useDashboard } from '../../shell/session.tsx';
import { OnlyFor } from '../parts/only-for.tsx';
import { readRows, type Columns, type ReadRows } from './bank-rows.ts';
import { FILE_BYTES_MAX, LINES_MAX, readTable, type BankTable } from './bank-table.ts';
import { ColumnsForm } from './columns-form.tsx';
import { keepColumns, keptColumns } from './kept-columns.ts';
import { MatchedRows } from './matched-rows.tsx';

/** A file that is open, its columns once they are known, and how often they were named. */
type Opened = { table: BankTable; columns: Columns | null; read: ReadRows | null; round: number };

/** Finds the invoices that a bank's file pays, and books them. The file stays in the browser; its rows are sent. */
export function BankFilePage() {
  const { currency } = useDashboard().account;
  const [opened, setOpened] = useState<Opened | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const show = (table: BankTable, columns: Columns | null, round: number) => {
    const read = columns && readRows(table, columns, currency);
    setOpened({ table, columns, read, round });
  };
  const open = async (file: File) => {
    setOpened(null);
    const found = await tableOf(file);
    setFault(typeof found === 'string' ? found : null);
    if (typeof found !== 'string') show(found, keptColumns(found), performance.now());
  };
  const name = (columns: Columns) => {
    keepColumns(columns);
    show(opened!.table, columns, opened!.round + 1);
  };
  return (
    <Page title="A bank's file">
      <OnlyFor use="matchTransfers">
        <FileField open={(file) => void open(file)} />
        {fault !== null && (
          <Notice kind="fault">
            <p>{fault}</p>
          </Notice>
        )}
        {opened !== null && <OpenedFile key={opened.round} opened={opened} currency={currency} name={name} />}
      </OnlyFor>
    </Page>
  );
}

function FileField({ open }: { open: (file: File) => void }) {
  const onChange = ({ currentTarget }: TargetedInputEvent<HTMLInputElement>) => {
    const file = currentTarget.files?.[0];
    // The same file can be opened again.
    currentTarget.value = '';
    if (file !== undefined) open(file);
  };
  return (
    <div class="field">
      <label for="bank-file">File of the bank</label>
      <p class="hint" id="bank-file-hint">
        CSV with a line of titles. Nothing is booked before you say so.
      </p>
      <input
        id="bank-file"
        type="file"
        accept=".csv,.txt,text/csv"
        aria-describedby="bank-file-hint"
        onChange={onChange}
      />
    </div>
  );
}

type OpenedFileProps = { opened: Opened; currency: string; name: (columns: Columns) => void };

function OpenedFile({ opened: { table, columns, read }, currency, name }: OpenedFileProps) {
  const form = <ColumnsForm table={table} currency={currency} initial={columns} apply={name} />;
  if (read === null)
    return (
      <>
        <p>Name the columns once. This browser remembers them for the next file with these titles.</p>
        {form}
      </>
    );
  return (
    <>
      <Disclosure summary="Columns">{form}</Disclosure>
      <MatchedRows read={read} />
    </>
  );
}

/** The table of a file, or a sentence that says why it cannot be read. */
async function tableOf(file: File): Promise<BankTable | string> {
  if (file.size > FILE_BYTES_MAX) return 'The file is above 5 MB. Ask the bank for a shorter time.';
  const table = readTable(new Uint8Array(await file.arrayBuffer()));
  if (table === null) return 'The file has no line of titles with rows below. It must be CSV.';
  if (table.lines.length > LINES_MAX)
    return `The file has ${table.lines.length} rows, and may have ${LINES_MAX}. Ask the bank for a shorter time.`;
  return table;
}
