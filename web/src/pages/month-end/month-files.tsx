import { pathWith, type Query } from '../../api/client.ts';
import type { Fault } from '../../api/fault.ts';
import type { JournalSummary } from '../../api/objects.ts';
import { DownloadButton } from '../../components/download-button.tsx';
import { Section } from '../../components/page.tsx';
import { Link } from '../../shell/environment.tsx';

type FilesOf = { list: string; label: string; filterOf: (month: string) => Query };

const byIssue = (month: string): Query => ({ issued_month: month });
const byAccount = (month: string): Query => ({ month });

const FILES: readonly FilesOf[] = [
  { list: 'invoices', label: 'Invoices', filterOf: byIssue },
  { list: 'line-items', label: 'Line items', filterOf: byIssue },
  { list: 'credit-notes', label: 'Credit notes', filterOf: byIssue },
  { list: 'payments', label: 'Payments', filterOf: byAccount },
  { list: 'credit-ledger', label: 'Credit ledger', filterOf: byAccount },
  { list: 'journal', label: 'Journal', filterOf: byAccount },
];

/** `datev_of` has the currencies of the files for DATEV; null without its settings. */
type MonthFilesProps = { month: string; datev_of: JournalSummary | null };

/** Everything of a month as CSV files, and the journal as a file for DATEV in each currency. */
export function MonthFiles({ month, datev_of }: MonthFilesProps) {
  return (
    <Section title="Files">
      <p class="lead">
        CSV files. Line items are those of the invoices; the credit ledger is in units of usage, not in money.
      </p>
      <div class="page-actions">
        {FILES.map(({ list, label, filterOf }) => (
          <DownloadButton
            key={list}
            label={label}
            path={pathWith(`/v1/${list}.csv`, filterOf(month))}
            name={`${list}-${month}.csv`}
          />
        ))}
        {datev_of !== null && <DatevFiles month={month} summary={datev_of} />}
      </div>
    </Section>
  );
}

/** A button for each currency; a file that lacks a number of an account says so, a sentence for each. */
function DatevFiles({ month, summary }: { month: string; summary: JournalSummary }) {
  const currencies = [...new Set(summary.data.map(({ currency }) => currency))];
  return (
    <>
      {currencies.map((currency) => (
        <DownloadButton
          key={currency}
          label={currencies.length === 1 ? 'DATEV' : `DATEV ${currency}`}
          path={pathWith('/v1/journal.csv', { month, format: 'datev', currency })}
          name={`EXTF_${month}_${currency}.csv`}
          adviceOn={adviceOn}
        />
      ))}
    </>
  );
}

function adviceOn({ details }: Fault) {
  if (!details.some(({ reason }) => reason === 'missing')) return null;
  return (
    <p>
      The numbers are in the <Link to="/settings/account">settings of the account</Link>, under Bookkeeping.
    </p>
  );
}
