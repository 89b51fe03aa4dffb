import { atList } from '../../api/fault.ts';
import type { Account } from '../../api/objects.ts';
import { Field, Form, Select, type Values } from '../../components/form.tsx';
import { Section } from '../../components/page.tsx';
import { useClient, useMay } from '../../shell/session.tsx';
import { daysIn } from '../emails/reminder-days.ts';
import { optionsOf } from '../emails/words.ts';
import { CHARGE_MODES } from '../invoices/charge-words.ts';

const CHARGED_ON: Readonly<Record<Account['charge_on'], string>> = {
  issue: 'At the issue',
  due_date: 'On the due date',
};

/** Form for when invoices are charged by themselves. */
export function ChargingForm({ account }: { account: Account }) {
  const client = useClient();
  const may_change = useMay('updateAccount');
  const save = async (values: Values) => {
    await client.patch('/v1/account', patchOf(values)).catch((error: unknown) => {
      throw atList(error, 'charge_retry_days', 'Day');
    });
  };
  return (
    <Section title="Planned charges">
      <fieldset class="plain" disabled={!may_change}>
        <Form submit_label="Save" submit={save} done_label="Saved.">
          <Select
            name="charge_mode"
            label="Invoices are charged"
            hint="Of customers without a mode of their own; by themselves: those that are issued from now on."
            options={optionsOf(CHARGE_MODES)}
            value={account.charge_mode}
          />
          <Select
            name="charge_on"
            label="First charge"
            hint="Within the hours of emails, in the customer's time zone."
            options={optionsOf(CHARGED_ON)}
            value={account.charge_on}
          />
          <Field
            name="charge_retry_days"
            label="Tried again after days"
            hint="At most eight whole days after the first charge, 1 to 60, such as 3, 7, 14; empty: not at all."
            initial={account.charge_retry_days.join(', ')}
          />
        </Form>
      </fieldset>
    </Section>
  );
}

function patchOf(values: Values): object {
  const { charge_mode, charge_on, charge_retry_days } = values;
  return { charge_mode, charge_on, charge_retry_days: daysIn(charge_retry_days) };
}
