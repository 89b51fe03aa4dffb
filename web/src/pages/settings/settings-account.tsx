import type { Account } from '../../api/objects.ts';
import { atList } from '../../api/fault.ts';
import { useLoad } from '../../api/use-load.ts';
import { Field, Form, Select, TextArea, wholeNumberOf, type Values } from '../../components/form.tsx';
import { Loading } from '../../components/loading.tsx';
import {
  AddressFields,
  addressOf,
  TaxIdFields,
  taxIdsOf,
  withoutParty,
} from '../../components/party-fields.tsx';
import { useEnvironment } from '../../shell/environment.tsx';
import { useClient, useMay, useSession } from '../../shell/session.tsx';
import { Bookkeeping } from './bookkeeping.tsx';
import { LogoPart } from './logo-part.tsx';
import { Settings } from './settings.tsx';

/** Form for the settings of the environment: the seller on its documents, and the defaults of customers and plans. */
export function AccountPage() {
  const environment = useEnvironment();
  const loaded = useLoad<Account>('/v1/account');
  return (
    <Settings title="Account">
      <p class="lead">
        The settings of the {environment} data. Issued invoices do not change, whatever you change here.
      </p>
      <Loading loaded={loaded}>
        {(account) => (
          <>
            <LogoPart key={environment} account={account} changed={loaded.reload} />
            <AccountForm key={`${account.livemode}`} account={account} />
            <Bookkeeping key={`bookkeeping of ${account.livemode}`} account={account} />
          </>
        )}
      </Loading>
    </Settings>
  );
}

function AccountForm({ account }: { account: Account }) {
  const client = useClient();
  const { ask } = useSession();
  const may_change = useMay('updateAccount');
  const save = async (values: Values) => {
    await client.patch('/v1/account', patchOf(account, values)).catch((error: unknown) => {
      throw atList(error, 'portal_origins');
    });
    ask();
  };
  return (
    <fieldset class="plain" disabled={!may_change}>
      <Form submit_label="Save" submit={save} done_label="Saved.">
        <Field name="name" label="Name" hint="Shown at the top of every invoice." initial={account.name} />
        <AddressFields initial={account.address} />
        <TaxIdFields initial={account.tax_ids} />
        <Field
          name="currency"
          label="Currency"
          hint="The default for new customers and plans: three capital letters, such as EUR."
          initial={account.currency}
        />
        <Field
          name="tax_rate"
          label="Tax rate"
          hint="In percent, for customers without a tax rate of their own."
          keyboard="decimal"
          initial={account.tax_rate}
        />
        <DocumentFields account={account} />
        <NoticeFields notice_days={account.notice_days} />
        <TextArea
          name="invoice_footer"
          label="Invoice footer"
          hint="The last lines of every invoice, such as payment instructions and a contact."
          initial={account.invoice_footer ?? ''}
        />
        <TextArea
          name="portal_origins"
          label="Sites that may frame the portal"
          hint="Of test and live data together: at most 10 origins such as https://app.example.com, one in each line. No other site shows the page of a portal link inside its own."
          initial={account.portal_origins.join('\n')}
        />
      </Form>
    </fieldset>
  );
}

/** Fields that decide how documents are numbered, dated and printed. */
function DocumentFields({ account }: { account: Account }) {
  return (
    <>
      <Field
        name="timezone"
        label="Time zone"
        hint="Such as Europe/Berlin. Due dates, and the periods of new subscriptions, are days of this zone, unless the customer has another one."
        initial={account.timezone}
      />
      <Field
        name="net_days"
        label="Days until payment is due"
        hint="From the day of issue; 0 is the same day."
        keyboard="numeric"
        initial={`${account.net_days}`}
      />
      <Field
        name="invoice_prefix"
        label="Prefix of invoice numbers"
        hint="For invoices that are issued from now on."
        initial={account.invoice_prefix}
      />
      <Field
        name="next_invoice_number"
        label="Next invoice number"
        hint="Can be raised until the first invoice is issued."
        keyboard="numeric"
        initial={`${account.next_invoice_number}`}
      />
      <Select
        name="hide_zero_lines"
        label="Lines of quantity and amount 0"
        options={[
          { value: 'false', label: 'Printed' },
          { value: 'true', label: 'Left out of the PDF' },
        ]}
        value={`${account.hide_zero_lines}`}
      />
    </>
  );
}

/** Fields that say how long before a date the feed of changes tells that it comes; an empty one is none. */
function NoticeFields({ notice_days }: Pick<Account, 'notice_days'>) {
  const initial = (days: number | null) => (days === null ? '' : `${days}`);
  return (
    <>
      <Field
        name="notice_days.renewal"
        label="Notice of a renewal"
        hint="How many days before the end of a billing period the feed of changes and webhooks tell that the next one begins, up to 60. Empty: no notice."
        keyboard="numeric"
        initial={initial(notice_days.renewal)}
      />
      <Field
        name="notice_days.trial_end"
        label="Notice of the end of a trial"
        hint="In days before it, up to 60."
        keyboard="numeric"
        initial={initial(notice_days.trial_end)}
      />
      <Field
        name="notice_days.credit_expiry"
        label="Notice of credit that expires"
        hint="In days before the expiry, up to 60."
        keyboard="numeric"
        initial={initial(notice_days.credit_expiry)}
      />
    </>
  );
}

/** The days that a field of a notice has; null for none. */
function noticeDaysOf(text = ''): number | string | null {
  return text.trim() === '' ? null : wholeNumberOf(text);
}

/** All fields, but the next number only if it was changed: invoices that were issued meanwhile have raised it. */
function patchOf(account: Account, values: Values): object {
  const {
    invoice_footer,
    hide_zero_lines,
    next_invoice_number,
    net_days,
    portal_origins,
    'notice_days.renewal': renewal,
    'notice_days.trial_end': trial_end,
    'notice_days.credit_expiry': credit_expiry,
    ...other_fields
  } = withoutParty(values);
  const is_changed = next_invoice_number !== `${account.next_invoice_number}`;
  return {
    ...other_fields,
    address: addressOf(values),
    tax_ids: taxIdsOf(values),
    net_days: wholeNumberOf(net_days ?? ''),
    notice_days: {
      renewal: noticeDaysOf(renewal),
      trial_end: noticeDaysOf(trial_end),
      credit_expiry: noticeDaysOf(credit_expiry),
    },
    ...(is_changed ? { next_invoice_number: wholeNumberOf(next_invoice_number ?? '') } : {}),
    hide_zero_lines: hide_zero_lines === 'true',
    invoice_footer: invoice_footer || null,
    portal_origins: (portal_origins ?? '').split('\n').flatMap((line) => line.trim() || []),
  };
}
