import type { CreditGrant, Customer } from '../../api/objects.ts';
import { usePagesWithin } from '../../api/use-pages.ts';
import { QuestionButton } from '../../components/action-button.tsx';
import { Badge } from '../../components/badge.tsx';
import { DialogButton } from '../../components/dialog-button.tsx';
import { Empty } from '../../components/notice.tsx';
import { Section } from '../../components/page.tsx';
import { ShortId } from '../../components/short-id.tsx';
import { PagedTable, Table, type Column } from '../../components/table.tsx';
import { grouped } from '../../components/grouped.ts';
import { Day, LastDay, Quantity } from '../../components/values.tsx';
import { InvoiceLink, SubscriptionLink } from '../parts/links.tsx';
import { May, useClient, useDashboard } from '../../shell/session.tsx';
import { namesOf } from '../plans/grant-draft.ts';
import { GrantButton } from './grant-credit.tsx';

type CreditProps = { customer: Customer; changed: () => void };

/** The credit grants of a customer. */
export function CustomerCredit({ customer, changed }: CreditProps) {
  const pages = usePagesWithin<CreditGrant>('/v1/credit-grants', { customer_id: customer.id, limit: '20' });
  const { account } = useDashboard();
  const timezone = customer.timezone ?? account.timezone;
  const altered = () => {
    pages.loaded.reload();
    changed();
  };
  return (
    <Section
      title="Credit"
      actions={
        <May use="createCreditGrant">
          <GrantButton customer={customer} changed={altered} />
        </May>
      }
    >
      <PagedTable
        caption="Credit grants, newest first"
        pages={pages}
        keyOf={({ id }) => id}
        columns={columns(timezone, altered)}
        empty={
          <Empty title="No credit">
            <p>Credit is prepaid usage. It covers usage before usage is charged.</p>
          </Empty>
        }
      />
    </Section>
  );
}

function columns(timezone: string, changed: () => void): Column<CreditGrant>[] {
  return [
    { title: 'Granted', show: ({ created_at }) => <Day at={created_at} /> },
    { title: 'Status', show: ({ status }) => <Badge status={status} /> },
    { title: 'Units', show: ({ amount }) => <Quantity value={amount} />, is_number: true },
    { title: 'Left', show: ({ remaining }) => <Quantity value={remaining} />, is_number: true },
    { title: 'Last day', show: (grant) => <Expiry grant={grant} timezone={timezone} /> },
    { title: 'Covers', show: (grant) => <Cover grant={grant} /> },
    { title: 'Id', show: ({ id }) => <ShortId id={id} what="the grant’s id" /> },
    {
      title: 'Actions',
      show: (grant) => (
        <span class="page-actions">
          <LedgerButton grant={grant} />
          {grant.status === 'active' && (
            <May use="voidCreditGrant">
              <VoidButton grant={grant} changed={changed} />
            </May>
          )}
        </span>
      ),
    },
  ];
}

/** The last day, and whether the grant rolls over, or how much of it carries over to the next period. */
function Expiry({ grant, timezone }: { grant: CreditGrant; timezone: string }) {
  const { expires_at, rollover, carry_over_max, carry_over_until } = grant;
  return (
    <>
      <LastDay at={expires_at} timezone={timezone} />
      {rollover && ', rolls over'}
      {carry_over_max !== null && (
        <>
          , carries over <Quantity value={carry_over_max} />
          {carry_over_until !== null && (
            <>
              {' until '}
              <LastDay at={carry_over_until} timezone={timezone} />
            </>
          )}
        </>
      )}
    </>
  );
}

/** The events and the subscription that a grant covers, and the note. */
function Cover({ grant: { event_names, subscription_id, note } }: { grant: CreditGrant }) {
  return (
    <span class="cut">
      {namesOf(event_names) || 'all events'}
      {subscription_id !== null && (
        <>
          {' of '}
          <SubscriptionLink id={subscription_id} />
        </>
      )}
      {note !== null && `: ${note}`}
    </span>
  );
}

function VoidButton({ grant: { id, remaining }, changed }: { grant: CreditGrant; changed: () => void }) {
  const client = useClient();
  const voidIt = async () => {
    await client.post(`/v1/credit-grants/${id}/void`);
    changed();
  };
  return (
    <QuestionButton
      label="Void"
      question={`Void ${grouped(String(remaining))} units of credit?`}
      perform={voidIt}
    >
      <p>Credit that invoices have already drawn is not affected. This cannot be undone.</p>
    </QuestionButton>
  );
}

function LedgerButton({ grant }: { grant: CreditGrant }) {
  return (
    <DialogButton label="Ledger" title="Ledger of this grant">
      {(close) => (
        <>
          <Table
            caption="Ledger of the grant"
            keyOf={({ entry, place }) => `${place} ${entry.created_at}`}
            items={grant.ledger.map((entry, place) => ({ entry, place }))}
            columns={LEDGER_COLUMNS}
          />
          <p>
            The sum is the remaining credit: <Quantity value={grant.remaining} />.
          </p>
          <div class="form-buttons">
            <button type="button" onClick={close}>
              Close
            </button>
          </div>
        </>
      )}
    </DialogButton>
  );
}

type LedgerRow = { entry: CreditGrant['ledger'][number]; place: number };

const LEDGER_COLUMNS: readonly Column<LedgerRow>[] = [
  { title: 'Day', show: ({ entry }) => <Day at={entry.created_at} /> },
  { title: 'Entry', show: ({ entry }) => entry.type },
  { title: 'Units', show: ({ entry }) => <Quantity value={entry.amount} />, is_number: true },
  {
    title: 'Invoice',
    show: ({ entry: { invoice_id, line_item_id } }) =>
      invoice_id === null ? '–' : <InvoiceLink id={invoice_id} part={line_item_id} />,
  },
];
