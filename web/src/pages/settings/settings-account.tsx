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
      <p class="lead">
        The account is one for test and live data. Invoices that were issued stay as they are.
      </p>
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
      <Field name="name" label="Name" hint="Stands at the head of every invoice." initial={account.name} />
      <Field
        name="currency"
        label="Currency"
        hint="Of new customers and plans that name none: three capitals, such as EUR."
        initial={account.currency}
      />
      <Field
        name="tax_rate"
        label="Tax rate"
        hint="Percent, of customers that have none of their own."
        keyboard="decimal"
        initial={account.tax_rate}
      />
      <TextArea name="address" label="Address" hint="As invoices show it." initial={account.address ?? ''} />
      <TextArea
        name="invoice_footer"
        label="Invoice footer"
        hint="The last lines of every invoice: how to pay, whom to ask."
        initial={account.invoice_footer ?? ''}
      />
    </Form>
  );
}
