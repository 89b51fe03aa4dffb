import type { Account } from '../../api/objects.ts';
import { atList } from '../../api/fault.ts';
import { useLoad } from '../../api/use-load.ts';
import {
  Field,
  Form,
  Labelled,
  Select,
  TextArea,
  wholeNumberOf,
  type Values,
} from '../../components/form.tsx';
import { Loading } from '../../components/loading.tsx';
import { useEnvironment } from '../../shell/environment.tsx';
import { useClient, useMay } from '../../shell/session.tsx';
import { daysIn } from '../emails/reminder-days.ts';
import { addressesIn, KINDS, LANGUAGES, optionsOf } from '../emails/words.ts';
import { EmailTexts } from './email-texts.tsx';
import { Settings } from './settings.tsx';

/** Form for the emails of the environment, and their texts. */
export function EmailSettingsPage() {
  const environment = useEnvironment();
  const loaded = useLoad<Account>('/v1/account');
  return (
    <Settings title="Email">
      <p class="lead">
        The documents of {environment} data that payers get by email, and how.{' '}
        {environment === 'test' &&
          'All emails of test data are on the page Emails, and leave only to the test recipients below.'}
      </p>
      <Loading loaded={loaded}>
        {(account) => (
          <>
            <EmailForm key={`${account.livemode}`} account={account} />
            <EmailTexts key={`texts of ${account.livemode}`} language={account.language} />
          </>
        )}
      </Loading>
    </Settings>
  );
}

/** Kinds that are sent by themselves. */
const SENT_KINDS = ['invoice', 'credit_note', 'receipt', 'payment_failed'] as const;
const FILES = { pdf: 'The document as PDF', xml: 'The e-invoice as XML, where there is one' };

function EmailForm({ account }: { account: Account }) {
  const client = useClient();
  const may_change = useMay('updateAccount');
  const save = async (values: Values) => {
    await client.patch('/v1/account', patchOf(account, values)).catch((error: unknown) => {
      throw atList(atList(error, 'email_test_recipients'), 'reminder_days', 'Day');
    });
  };
  return (
    <fieldset class="plain" disabled={!may_change}>
      <Form submit_label="Save" submit={save} done_label="Saved.">
        <Choices account={account} />
        <Select
          name="language"
          label="Language"
          hint="Of emails to customers without a language of their own."
          options={optionsOf(LANGUAGES)}
          value={account.language}
        />
        <Field
          name="email_reply_to"
          label="Answers go to"
          hint="If empty, to the sender."
          initial={account.email_reply_to ?? ''}
        />
        <Field
          name="email_copy_to"
          label="Copy of each email"
          hint="One address, which the customer does not see; empty: no copy."
          initial={account.email_copy_to ?? ''}
        />
        <Hours hours={account.email_hours} />
        <Field
          name="reminder_days"
          label="Reminders on the days"
          hint="At most ten whole days from the due date, -30 to 90, such as -3, 1, 7, 14; empty: no reminders."
          initial={account.reminder_days.join(', ')}
        />
        <TextArea
          name="email_test_recipients"
          label="Test recipients"
          hint="At most 20 addresses such as ada@acme.com, or *@acme.com for a domain, one in each line. Emails of test data leave to nobody else."
          initial={account.email_test_recipients.join('\n')}
        />
      </Form>
    </fieldset>
  );
}

/** Fields for the kinds that are sent by themselves, and for their files. */
function Choices({ account: { email_kinds, email_attach } }: { account: Account }) {
  return (
    <>
      <fieldset>
        <legend>Sent by itself</legend>
        <p class="hint">
          Of what is issued or paid from now on. Switching one off cancels no email that waits already.
        </p>
        {SENT_KINDS.map((kind) => (
          <Check key={kind} name={`kind.${kind}`} label={KINDS[kind]} is_on={email_kinds.includes(kind)} />
        ))}
      </fieldset>
      <fieldset>
        <legend>Files</legend>
        {Object.entries(FILES).map(([file, label]) => (
          <Check
            key={file}
            name={`file.${file}`}
            label={label}
            is_on={email_attach.some((attached) => attached === file)}
          />
        ))}
      </fieldset>
    </>
  );
}

function Hours({ hours: { from, until } }: { hours: Account['email_hours'] }) {
  return (
    <>
      <Field
        name="email_hours.from"
        label="Not before"
        hint="The hour of the customer’s day, 0 to 24, from which emails leave by themselves."
        keyboard="numeric"
        initial={`${from}`}
      />
      <Field
        name="email_hours.until"
        label="Not after"
        hint="The hour at which that ends. What a person sends leaves at any hour."
        keyboard="numeric"
        initial={`${until}`}
      />
    </>
  );
}

function Check({ name, label, is_on }: { name: string; label: string; is_on: boolean }) {
  return (
    <Labelled name={name} label={label}>
      {(control) => <input type="checkbox" class="check" value="true" defaultChecked={is_on} {...control} />}
    </Labelled>
  );
}

/** All fields; a kind that the page does not show stays as it is. */
function patchOf({ email_kinds }: Account, values: Values): object {
  const text = (name: string) => values[name]?.trim() || null;
  const others = email_kinds.filter((kind) => !SENT_KINDS.some((shown) => shown === kind));
  return {
    language: values['language'],
    email_kinds: [...SENT_KINDS.filter((kind) => values[`kind.${kind}`] !== undefined), ...others],
    email_attach: Object.keys(FILES).filter((file) => values[`file.${file}`] !== undefined),
    email_reply_to: text('email_reply_to'),
    email_copy_to: text('email_copy_to'),
    email_hours: {
      from: wholeNumberOf(values['email_hours.from'] ?? ''),
      until: wholeNumberOf(values['email_hours.until'] ?? ''),
    },
    reminder_days: daysIn(values['reminder_days']),
    email_test_recipients: addressesIn(values['email_test_recipients']),
  };
}
