import type { Email } from '../../api/objects.ts';
import { usePages, useQuery } from '../../api/use-pages.ts';
import { Badge } from '../../components/badge.tsx';
import { Filters } from '../../components/filters.tsx';
import { Field, Select } from '../../components/form.tsx';
import { dayAfter } from '../../components/instant.ts';
import { Empty } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { PagedTable, type Column } from '../../components/table.tsx';
import { Cut, Day } from '../../components/values.tsx';
import { Link } from '../../shell/environment.tsx';
import { CustomerField } from '../choices/customer-field.tsx';
import { CutCustomerLink } from '../parts/links.tsx';
import { KINDS, optionsOf, recipientsOf } from './words.ts';

const ANY = { value: '', label: 'Any' };
const STATUSES = [
  ANY,
  ...['queued', 'sent', 'refused', 'failed', 'kept', 'canceled'].map((status) => ({
    value: status,
    label: status,
  })),
];

/** Emails to payers and their fates. */
export function EmailsPage() {
  const [{ customer_id, invoice_id, kind, status, from, to }, setQuery] = useQuery();
  const narrowing = { customer_id, invoice_id, kind, status, from, to };
  const is_filtered = Object.values(narrowing).some(Boolean);
  const pages = usePages<Email>('/v1/emails', { ...narrowing, to: to && dayAfter(to) });
  return (
    <Page title="Emails">
      <Filters values={narrowing} apply={(values) => setQuery({ ...values, cursor: undefined })}>
        <CustomerField initial={customer_id} />
        <Field name="invoice_id" label="Id of an invoice" placeholder="inv_…" initial={invoice_id} />
        <Select name="kind" label="Kind" options={[ANY, ...optionsOf(KINDS)]} value={kind ?? ''} />
        <Select name="status" label="Status" options={STATUSES} value={status ?? ''} />
        <Field name="from" label="Written from (UTC)" type="date" initial={from} />
        <Field name="to" label="To, inclusive" type="date" initial={to} />
      </Filters>
      <PagedTable
        is_list
        caption="Emails, newest first"
        pages={pages}
        keyOf={({ id }) => id}
        columns={COLUMNS}
        empty={is_filtered ? <NothingFound /> : <NothingYet />}
      />
    </Page>
  );
}

const COLUMNS: readonly Column<Email>[] = [
  {
    title: 'Subject',
    show: (email) => (
      <Link to={`/emails/${email.id}`}>
        <Cut text={email.subject ?? KINDS[email.kind]} />
      </Link>
    ),
  },
  { title: 'Customer', show: ({ customer_id }) => <CutCustomerLink id={customer_id} /> },
  { title: 'To', on_phone: 'hidden', show: (email) => <Cut text={recipientsOf(email)} /> },
  { title: 'Kind', on_phone: 'hidden', show: ({ kind }) => KINDS[kind] },
  { title: 'Written', on_phone: 'hidden', show: ({ created_at }) => <Day at={created_at} /> },
  { title: 'Status', on_phone: 'figure', show: ({ status }) => <Badge status={status} /> },
];

function NothingFound() {
  return (
    <Empty title="No matching emails">
      <p>Remove a filter. Days are in UTC.</p>
    </Empty>
  );
}

function NothingYet() {
  return (
    <Empty title="No emails yet">
      <p>
        Choose in <Link to="/settings/email">Settings, Email</Link> what is sent by itself, or send a document
        from its page, see <Link to="/invoices">Invoices</Link>.
      </p>
    </Empty>
  );
}
