import type { List, PaymentMethod, PaymentMethodSession } from '../../api/objects.ts';
import { useLoad } from '../../api/use-load.ts';
import { usePagesWithin } from '../../api/use-pages.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { Empty } from '../../components/notice.tsx';
import { Section } from '../../components/page.tsx';
import { PagedTable, type Column } from '../../components/table.tsx';
import { May, useClient } from '../../shell/session.tsx';
import { MakeDefault, RemoveMethod } from '../parts/method-acts.tsx';
import { METHOD_COLUMNS } from '../parts/method-columns.tsx';

/** Payment methods of a customer, newest first; nothing where no payment provider is connected. */
export function CustomerMethods({ customer_id }: { customer_id: string }) {
  const providers = useLoad<List<object>>('/v1/payment-providers').value?.data ?? [];
  const pages = usePagesWithin<PaymentMethod>('/v1/payment-methods', { customer_id, limit: '12' });
  const client = useClient();
  if (providers.length === 0) return null;
  return (
    <Section
      title="Payment methods"
      actions={
        <May use="createPaymentMethodSession">
          <ActionButton label="Save a method" perform={() => openPage(client, customer_id)} />
        </May>
      }
    >
      <PagedTable
        caption="Payment methods, newest first"
        pages={pages}
        keyOf={({ id }) => id}
        columns={columnsOf(pages.loaded.reload)}
        empty={<Empty title="The customer has saved none" />}
      />
    </Section>
  );
}

/** Leads to the page of the provider, which leads back to this one. */
async function openPage(client: ReturnType<typeof useClient>, customer_id: string): Promise<void> {
  const path = `/v1/customers/${encodeURIComponent(customer_id)}/payment-method-sessions`;
  const { url } = await client.post<PaymentMethodSession>(path, { return_url: location.href });
  location.assign(url);
}

function columnsOf(changed: () => void): readonly Column<PaymentMethod>[] {
  return [
    ...METHOD_COLUMNS,
    {
      title: 'Action',
      show: (method) =>
        method.status !== 'removed' && (
          <span class="buttons">
            <May use="setDefaultPaymentMethod">
              <MakeDefault method={method} changed={changed} />
            </May>
            <May use="removePaymentMethod">
              <RemoveMethod method={method} changed={changed} />
            </May>
          </span>
        ),
    },
  ];
}
