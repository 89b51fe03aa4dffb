import type { PaymentMethod, PaymentMethodSession } from '../../api/objects.ts';
import { usePagesWithin } from '../../api/use-pages.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { Empty } from '../../components/notice.tsx';
import { Section } from '../../components/page.tsx';
import { PagedTable, type Column } from '../../components/table.tsx';
import { useClient } from '../../shell/session.tsx';
import { MakeDefault, RemoveMethod } from '../parts/method-acts.tsx';
import { METHOD_COLUMNS } from '../parts/method-columns.tsx';
import { openProviderPage } from './provider-page.ts';

/** Payment methods of the payer, newest first, to choose and to remove, and the way to save one. */
export function Methods() {
  const pages = usePagesWithin<PaymentMethod>('/v1/payment-methods', { limit: '12' });
  const client = useClient();
  const save = async () => {
    const made = await client.post<PaymentMethodSession>('/v1/customers/self/payment-method-sessions');
    openProviderPage(made.url);
  };
  return (
    <Section
      title="Payment methods"
      actions={<ActionButton label="Save a card" kind="primary" perform={save} />}
    >
      <PagedTable
        caption="Payment methods, newest first"
        pages={pages}
        keyOf={({ id }) => id}
        columns={columnsOf(pages.loaded.reload)}
        empty={<Empty title="You have saved none" />}
      />
    </Section>
  );
}

function columnsOf(changed: () => void): readonly Column<PaymentMethod>[] {
  return [
    ...METHOD_COLUMNS,
    {
      title: 'Action',
      show: (method) =>
        method.status !== 'removed' && (
          <span class="buttons">
            <MakeDefault method={method} changed={changed} />
            <RemoveMethod method={method} changed={changed} />
          </span>
        ),
    },
  ];
}
