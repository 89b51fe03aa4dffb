import { useState } from 'preact/hooks';
import type { Invoice, NewPortalSession, PortalSession } from '../../api/objects.ts';
import { usePagesWithin } from '../../api/use-pages.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Field, Form, wholeNumberOf, type Values } from '../../components/form.tsx';
import { Empty } from '../../components/notice.tsx';
import { ShownOnce } from '../../components/shown-once.tsx';
import { PagedTable, type Column } from '../../components/table.tsx';
import { Time } from '../../components/values.tsx';
import { May, useClient } from '../../shell/session.tsx';

type PortalLinkProps = {
  /** Either id of the customer. */
  customer_id: string;
  name: string;
  /** The invoice at which a new link opens. */
  invoice?: Pick<Invoice, 'id' | 'number'>;
};

/** A button that opens the portal links of a customer: it makes one, shows it once, and ends those that run. */
export function PortalLinkButton(props: PortalLinkProps) {
  const [is_open, setOpen] = useState(false);
  return (
    <May use="createPortalSession">
      <button type="button" onClick={() => setOpen(true)}>
        Portal link
      </button>
      <Dialog title={`Portal links of ${props.name}`} is_open={is_open} close={() => setOpen(false)}>
        <PortalLinks {...props} close={() => setOpen(false)} />
      </Dialog>
    </May>
  );
}

function PortalLinks({ customer_id, invoice, close }: PortalLinkProps & { close: () => void }) {
  const client = useClient();
  const [made, setMade] = useState<NewPortalSession | null>(null);
  const make = async ({ expires_in_minutes = '' }: Values) =>
    setMade(
      await client.post<NewPortalSession>('/v1/portal-sessions', {
        customer_id,
        ...(invoice && { invoice_id: invoice.id }),
        expires_in_minutes: wholeNumberOf(expires_in_minutes),
      }),
    );
  if (made !== null)
    return (
      <ShownOnce secret={made.url} what="the link" close={close}>
        <p>
          <strong>Copy the link now.</strong> It is not stored and cannot be shown again. Until{' '}
          <Time at={made.expires_at} />, a person who has it reads the documents and the usage of this
          customer.
        </p>
      </ShownOnce>
    );
  return (
    <div class="stack">
      <p>
        By a link, the customer reads its invoices, payments, credit notes, credit and usage, and changes
        nothing.{invoice && ` The page opens at ${invoice.number}.`}
      </p>
      <Form
        submit_label="Make a link"
        submit={make}
        beside={
          <button type="button" onClick={close}>
            Close
          </button>
        }
      >
        <Field
          name="expires_in_minutes"
          label="Minutes until it ends"
          hint="1 to 1440, which is a day."
          keyboard="numeric"
          initial="60"
        />
      </Form>
      <RunningLinks customer_id={customer_id} />
    </div>
  );
}

function RunningLinks({ customer_id }: { customer_id: string }) {
  const client = useClient();
  const pages = usePagesWithin<PortalSession>('/v1/portal-sessions', { customer_id, limit: '5' });
  const revoke = async ({ id }: PortalSession) => {
    await client.post(`/v1/portal-sessions/${id}/revoke`);
    pages.loaded.reload();
  };
  const columns: readonly Column<PortalSession>[] = [
    { title: 'Made', show: ({ created_at }) => <Time at={created_at} /> },
    { title: 'Ends', show: ({ expires_at }) => <Time at={expires_at} /> },
    {
      title: 'Action',
      show: (session) => <ActionButton label="Revoke" kind="danger" perform={() => revoke(session)} />,
    },
  ];
  return (
    <PagedTable
      caption="Links that can be used"
      pages={pages}
      keyOf={({ id }) => id}
      columns={columns}
      empty={<Empty title="No link can be used now" />}
    />
  );
}
