import { pathWith, type Query } from '../../api/client.ts';
import { DownloadButton } from '../../components/download-button.tsx';
import { Section } from '../../components/page.tsx';

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

/** Everything of a month as CSV files. */
export function MonthFiles({ month }: { month: string }) {
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
      </div>
    </Section>
  );
}
