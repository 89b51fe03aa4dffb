import type { ComponentChildren } from 'preact';
import { useRoute } from 'preact-iso/router';
import { useState } from 'preact/hooks';
import type { Customer, List, Subscription } from '../../api/objects.ts';
import { useLoad } from '../../api/use-load.ts';
import { Definitions } from '../../components/definitions.tsx';
import { AddressText, TaxIdText } from '../../components/party-fields.tsx';
import { Loading } from '../../components/loading.tsx';
import { Page, Section } from '../../components/page.tsx';
import { ShortId } from '../../components/short-id.tsx';
import { TestClock } from '../../components/test-clock.tsx';
import { Day, Money, Quantity } from '../../components/values.tsx';
import { useEnvironment } from '../../shell/environment.tsx';
import { ClockAhead } from '../parts/clock-ahead.tsx';
import { History } from '../audit-log/history.tsx';
import { PauseCustomer, PauseNotice } from '../collections/pause.tsx';
import { reminderWords } from '../emails/reminder-days.ts';
import { LANGUAGES } from '../emails/words.ts';
import { CHARGE_MODES } from '../invoices/charge-words.ts';
import { CustomerBalance } from './customer-balance.tsx';
import { CustomerCredit } from './customer-credit.tsx';
import { CustomerDiscounts } from './customer-discounts.tsx';
import { CustomerInvoices } from './customer-invoices.tsx';
import { CustomerMethods } from './customer-methods.tsx';
import { CustomerItems } from './customer-items.tsx';
import { CustomerPayments } from './customer-payments.tsx';
import { CustomerPlans } from './customer-plans.tsx';
import { CustomerStatement } from './customer-statement.tsx';
import { CustomerSubscriptions, isLive } from './customer-subscriptions.tsx';
import { CustomerUsage } from './customer-usage.tsx';
import { DeleteCustomerButton } from './delete-customer.tsx';
import { EditCustomerButton, TREATMENTS } from './edit-customer.tsx';
import { Owes } from './owes.tsx';
import { PortalLinkButton } from './portal-link.tsx';
import { RedactCustomerButton } from './redact-customer.tsx';
import { May } from '../../shell/session.tsx';

/** Page of one customer, by either id. */
export function CustomerPage() {
  const id = useRoute().params['id'] ?? '';
  const loaded = useLoad<Customer>(`/v1/customers/${encodeURIComponent(id)}`);
  const customer = loaded.value;
  return (
    <Page
      title={customer === null ? 'Customer' : (customer.name ?? customer.external_id)}
      actions={
        customer !== null && (
          <>
            <PortalLinkButton customer_id={customer.id} name={customer.name ?? customer.external_id} />
            <PauseCustomer
              path={`/v1/customers/${customer.id}`}
              name={customer.name ?? customer.external_id}
              pause={customer.collection_pause}
              changed={loaded.reload}
            />
            <May use="updateCustomer">
              <EditCustomerButton customer={customer} changed={loaded.reload} />
            </May>
          </>
        )
      }
    >
      <Loading loaded={loaded}>
        {(loaded_customer) => (
          <>
            <CustomerSections key={loaded_customer.id} customer={loaded_customer} reload={loaded.reload} />
            <Foot customer={loaded_customer} changed={loaded.reload} />
          </>
        )}
      </Loading>
    </Page>
  );
}

function Particulars({ customer }: { customer: Customer }) {
  const { id, external_id, name, email, currency, tax_rate, balance, credit_remaining, metadata } = customer;
  const { address, tax_ids, tax_treatment, buyer_reference, timezone, net_days } = customer;
  const has_metadata = Object.keys(metadata).length > 0;
  return (
    <div class="stack">
      <Definitions
        entries={[
          ['External id', external_id],
          ['Name', name],
          ['Email', email],
          ...emailRows(customer),
          ['Currency', currency],
          ['Address', address && <AddressText address={address} />],
          ['Tax ids', tax_ids.length === 0 ? null : <TaxIdText tax_ids={tax_ids} />],
          ['Tax', tax_treatment === 'standard' ? `${tax_rate} %` : TREATMENTS[tax_treatment]],
          ['Reference', buyer_reference],
          ['Time zone', timezone ?? 'that of the account'],
          ['Payment due', net_days === null ? 'as the account says' : `${net_days} days after the issue`],
          ['Balance', <Money amount={balance} currency={currency} />],
          ['Remaining credit', <Quantity value={credit_remaining} />],
          ['Created', <Day at={customer.created_at} />],
          ['Id', <ShortId id={id} what="the customer’s id" />],
          ...redactionRows(customer),
        ]}
      />
      {has_metadata && (
        <pre class="body" tabIndex={0} aria-label="Metadata">
          {JSON.stringify(metadata, null, 2)}
        </pre>
      )}
    </div>
  );
}

function emailRows(customer: Customer): [string, ComponentChildren][] {
  const { billing_emails, email_muted, language, reminder_days, charge_mode } = customer;
  return [
    ['Emails go to', billing_emails.length === 0 ? null : billing_emails.join(', ')],
    ['Emails', email_muted ? 'only what a person sends' : null],
    ['Language', language === null ? null : LANGUAGES[language]],
    ['Reminders', reminderWords(reminder_days)],
    ['Invoices are charged', charge_mode === null ? null : CHARGE_MODES[charge_mode]],
  ];
}

function redactionRows({ redaction }: Customer): [string, ComponentChildren][] {
  if (redaction === null) return [];
  const { redacted_at, properties, events } = redaction;
  const removed = properties.length === 0 ? null : properties.join(', ');
  return [
    ['Redacted', <Day at={redacted_at} />],
    ['Removed from events', removed && (events === 'done' ? removed : `${removed} (in work)`)],
  ];
}

/** Buttons for acts that cannot be undone, at the foot of the page. */
function Foot({ customer, changed }: { customer: Customer; changed: () => void }) {
  return (
    <div class="page-foot page-actions">
      <May use="redactCustomer">
        <RedactCustomerButton customer={customer} changed={changed} />
      </May>
      <May use="deleteCustomer">
        <DeleteCustomerButton customer={customer} />
      </May>
    </div>
  );
}

/** The sections about a customer. Each loads by itself; a moved clock or another change reloads them all. */
function CustomerSections({ customer, reload }: { customer: Customer; reload: () => void }) {
  const environment = useEnvironment();
  const [round, setRound] = useState(0);
  const subscriptions = useLoad<List<Subscription>>(`/v1/subscriptions?customer_id=${customer.id}`);
  const changed = () => {
    reload();
    subscriptions.reload();
    setRound((count) => count + 1);
  };
  const live = subscriptions.value?.data.filter(isLive) ?? [];
  const ends = live.map(({ current_period_end }) => current_period_end).sort();
  return (
    <>
      <Owes key={`owes ${round}`} customer={customer} />
      <PauseNotice pause={customer.collection_pause} what="this customer" />
      <ClockAhead time={customer.test_clock} />
      <CustomerInvoices key={`invoices ${round}`} customer={customer} />
      <CustomerStatement key={`statement ${round}`} customer={customer} />
      <CustomerSubscriptions
        customer={customer}
        subscriptions={subscriptions}
        changed={changed}
        round={round}
      />
      {environment === 'test' && (
        <May use="advanceTestClock">
          <TestClock
            customer_id={customer.external_id}
            time={customer.test_clock}
            period_end={ends[0] ?? null}
            onAdvanced={changed}
          />
        </May>
      )}
      <CustomerUsage key={`usage ${round}`} customer={customer} subscriptions={live} />
      <CustomerCredit key={`credit ${round}`} customer={customer} changed={reload} />
      <CustomerDiscounts
        key={`discounts ${round}`}
        customer={customer}
        subscriptions={subscriptions.value?.data ?? []}
        changed={changed}
      />
      <CustomerPlans key={`plans ${round}`} customer={customer} />
      <CustomerItems
        key={`items ${round}`}
        customer={customer}
        subscriptions={subscriptions.value?.data ?? []}
        changed={changed}
      />
      <CustomerPayments key={`payments ${round}`} customer={customer} changed={changed} />
      <CustomerMethods key={`methods ${round}`} customer_id={customer.id} />
      <CustomerBalance key={`balance ${round}`} customer={customer} changed={reload} />
      <Section title="Details">
        <Particulars customer={customer} />
      </Section>
      <History key={`history ${round}`} filter={{ customer_id: customer.id }} />
    </>
  );
}
