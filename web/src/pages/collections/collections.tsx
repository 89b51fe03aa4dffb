import type { CollectionCase } from '../../api/objects.ts';
import { usePages, useQuery } from '../../api/use-pages.ts';
import { Badge } from '../../components/badge.tsx';
import { Filters } from '../../components/filters.tsx';
import { Select } from '../../components/form.tsx';
import { Empty } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { PagedTable, type Column } from '../../components/table.tsx';
import { grouped } from '../../components/grouped.ts';
import { Cut, Day, Money } from '../../components/values.tsx';
import { Link } from '../../shell/environment.tsx';
import { CustomerField } from '../choices/customer-field.tsx';
import { CutCustomerLink } from '../parts/links.tsx';
import { pauseInWords } from './words.ts';

const EITHER = { value: '', label: 'Any' };
const OVERDUE = [EITHER, { value: 'true', label: 'overdue' }, { value: 'false', label: 'not due yet' }];
const PAUSED = [EITHER, { value: 'true', label: 'paused' }, { value: 'false', label: 'not paused' }];

/** Open invoices that are overdue or paused, with their reminders and pauses. */
export function CollectionsPage() {
  const [{ customer_id, overdue, paused }, setQuery] = useQuery();
  const narrowing = { customer_id, overdue, paused };
  const pages = usePages<CollectionCase>('/v1/collections', narrowing);
  return (
    <Page title="Collections">
      <Filters values={narrowing} apply={(values) => setQuery({ ...values, cursor: undefined })}>
        <CustomerField initial={customer_id} />
        <Select name="overdue" label="Overdue" options={OVERDUE} value={overdue ?? ''} />
        <Select name="paused" label="Paused" options={PAUSED} value={paused ?? ''} />
      </Filters>
      <PagedTable
        is_list
        caption="Open invoices, the earliest due date first"
        turns={['← Before', 'Further →']}
        pages={pages}
        keyOf={({ invoice_id }) => invoice_id}
        columns={COLUMNS}
        empty={<Nothing is_narrowed={Object.values(narrowing).some(Boolean)} />}
      />
    </Page>
  );
}

const COLUMNS: readonly Column<CollectionCase>[] = [
  {
    title: 'Customer',
    show: ({ customer_id, customer_name }) => <CutCustomerLink id={customer_id} name={customer_name} />,
  },
  {
    title: 'Invoice',
    show: ({ invoice_id, number }) => <Link to={`/invoices/${invoice_id}`}>{number}</Link>,
  },
  {
    title: 'Due',
    on_phone: 'hidden',
    show: ({ due_date }) => <span class="nowrap">{due_date}</span>,
  },
  {
    title: 'Overdue',
    show: ({ days_overdue }) => <span class="nowrap">{overdueInWords(days_overdue)}</span>,
  },
  { title: 'Last reminder', on_phone: 'hidden', show: (of_list) => <LastReminder of_list={of_list} /> },
  { title: 'Paused', show: (of_list) => <PauseOf of_list={of_list} /> },
  {
    title: 'Amount due',
    show: ({ amount_due, currency }) => <Money amount={amount_due} currency={currency} />,
    is_number: true,
    on_phone: 'figure',
  },
];

type Shown = { of_list: CollectionCase };

function LastReminder({ of_list: { last_reminder } }: Shown) {
  if (last_reminder === null) return <span class="faint">none</span>;
  const { email_id, status, send_at, sent_at } = last_reminder;
  return (
    <>
      <Link to={`/emails/${email_id}`}>
        <Day at={sent_at ?? send_at} />
      </Link>{' '}
      <Badge status={status} />
    </>
  );
}

/** The pause of the invoice, or else that of its customer; nothing for an invoice that is not paused. */
function PauseOf({ of_list: { invoice_pause, customer_pause } }: Shown) {
  const pause = invoice_pause ?? customer_pause;
  if (pause === null) return null;
  const words = pauseInWords(pause);
  return <Cut text={invoice_pause === null ? `${words} (customer)` : words} />;
}

function overdueInWords(days: number): string {
  if (days === 0) return 'not yet';
  return days === 1 ? '1 day' : `${grouped(String(days))} days`;
}

function Nothing({ is_narrowed }: { is_narrowed: boolean }) {
  return (
    <Empty title={is_narrowed ? 'No matching invoices' : 'Nothing is overdue or paused'}>
      <p>
        An invoice is here from the day after its due date until it is paid, credited or void, and while its
        reminders are paused. All that is owed is on <Link to="/owed">Owed</Link>.
      </p>
    </Empty>
  );
}
