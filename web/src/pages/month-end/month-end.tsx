import type { TargetedSubmitEvent } from 'preact';
import { pathWith } from '../../api/client.ts';
import type { Account, JournalSummary } from '../../api/objects.ts';
import { useLoad } from '../../api/use-load.ts';
import { useQuery } from '../../api/use-pages.ts';
import { Field, valuesOf } from '../../components/form.tsx';
import { dayIn } from '../../components/instant.ts';
import { Loading } from '../../components/loading.tsx';
import { Empty, Notice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { Link } from '../../shell/environment.tsx';
import { Closing } from './closing.tsx';
import { IssuedInvoices } from './issued-invoices.tsx';
import { DocumentsInJournal } from './journal-documents.tsx';
import { daysOf, isMonth, monthInWords, monthsLater } from './month.ts';
import { MonthFiles } from './month-files.tsx';
import { OpenMatters } from './open-matters.tsx';
import { TrialBalance } from './trial-balance.tsx';

/** The page of a month: what is still open, the sums, the books with their closing, and the files. */
export function MonthEndPage() {
  const account = useLoad<Account>('/v1/account');
  return (
    <Page title="Month end">
      <Loading loaded={account}>{(found) => <ChosenMonth account={found} />}</Loading>
    </Page>
  );
}

/** The month of the address; without one the last month that is over in the time zone of the account. */
function ChosenMonth({ account }: { account: Account }) {
  const { timezone } = account;
  const [query, setQuery] = useQuery();
  const this_month = dayIn(timezone, new Date().toISOString()).slice(0, 7);
  const month = query['month'] ?? monthsLater(this_month, -1);
  const choose = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    setQuery({ month: valuesOf(event.currentTarget)['month'] });
  };
  return (
    <>
      <form class="filters" role="search" aria-label="Choose a month" key={month} onSubmit={choose}>
        <Field name="month" label="Month" type="month" initial={month} />
        <button>Show</button>
        {isMonth(month) && <Beside month={month} />}
      </form>
      {isMonth(month) ? (
        <MonthEnd month={month} this_month={this_month} account={account} />
      ) : (
        <Empty title={`“${month}” is not a month`}>
          <p>Choose a month such as 2026-10.</p>
        </Empty>
      )}
    </>
  );
}

/** Links to the months before and after. */
function Beside({ month }: { month: string }) {
  const [before, after] = [monthsLater(month, -1), monthsLater(month, 1)];
  return (
    <>
      <Link to={`/month-end?month=${before}`} is_button>
        ← {monthInWords(before)}
      </Link>
      <Link to={`/month-end?month=${after}`} is_button>
        {monthInWords(after)} →
      </Link>
    </>
  );
}

type MonthEndProps = { month: string; this_month: string; account: Account };

function MonthEnd({ month, this_month, account: { timezone, datev } }: MonthEndProps) {
  const journal = useLoad<JournalSummary>(pathWith('/v1/journal/summary', { month }));
  return (
    <>
      <p class="lead">
        Invoices and credit notes are in the month of the day that each prints, in its own time zone.
        Payments, credit and journal go by the time zone of the account, {timezone}. Events go by days in UTC.
      </p>
      {month >= this_month && (
        <Notice kind="attention">
          <p>
            <strong>{monthInWords(month)} is not over.</strong> It ends with {daysOf(month).to}. Its figures
            still change.
          </p>
        </Notice>
      )}
      <OpenMatters month={month} />
      <IssuedInvoices month={month} />
      <TrialBalance month={month} summary={journal} />
      <DocumentsInJournal month={month} />
      <Closing key={month} month={month} is_over={month < this_month} />
      <MonthFiles month={month} datev_of={datev === null ? null : journal.value} />
    </>
  );
}
