import type { Account } from '../../api/objects.ts';
import { useLoad } from '../../api/use-load.ts';
import { Field, Form, TextArea, type Values } from '../../components/form.tsx';
import { Loading } from '../../components/loading.tsx';
import { useClient, useSession } from '../../shell/session.tsx';
import { Settings } from './settings.tsx';

/** Form for the account: name, currency, tax rate, address and invoice footer. */
export function AccountPage() {
  const loaded = useLoad<Account>('/dashboard/api/account');
  return (
    <Settings title="Account">
      <p class="lead">The account is shared by test and live data. Issued invoices do not change.</p>
      <Loading of={loaded}>{(account) => <AccountForm account={account} />}</Loading>
    </Settings>
  );
}

function AccountForm({ account }: { account: Account }) {
  const client = useClient();
  const { ask } = useSession();
  const save = async ({ address, invoice_footer, ...others }: Values) => {
    await client.patch('/dashboard/api/account', {
      ...others,
      address: address || null,
      invoice_footer: invoice_footer || null,
    });
    ask();
  };
  return (
    <Form submit_label="Save" submit={save} done_label="Saved.">
      <Field name="name" label="Name" hint="Shown at the top of every invoice." initial={account.name} />
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
      <TextArea name="address" label="Address" hint="Shown on invoices." initial={account.address ?? ''} />
      <TextArea
        name="invoice_footer"
        label="Invoice footer"
        hint="The last lines of every invoice, such as payment instructions and a contact."
        initial={account.invoice_footer ?? ''}
      />
    </Form>
  );
}
