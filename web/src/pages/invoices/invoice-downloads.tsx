import type { Fault } from '../../api/fault.ts';
import type { Invoice } from '../../api/objects.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { Link } from '../../shell/environment.tsx';
import { useClient } from '../../shell/session.tsx';

/** The documents of an invoice. A draft and a void invoice have no e-invoice. */
export function InvoiceDownloads({ invoice }: { invoice: Invoice }) {
  const { status } = invoice;
  const has_e_invoice = status === 'open' || status === 'paid';
  return (
    <>
      <Download label="PDF" extension="pdf" invoice={invoice} />
      {has_e_invoice && <Download label="E-invoice (XML)" extension="xml" invoice={invoice} />}
    </>
  );
}

type DownloadProps = { label: string; extension: 'pdf' | 'xml'; invoice: Invoice };

/** A link would not say which environment the invoice is of. */
function Download({ label, extension, invoice: { id, number, customer_id } }: DownloadProps) {
  const client = useClient();
  const download = async () => {
    const address = URL.createObjectURL(await client.file(`/v1/invoices/${id}.${extension}`));
    const link = document.createElement('a');
    link.href = address;
    link.download = `${number ?? id}.${extension}`;
    link.click();
    // The browser has taken it by then.
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
  };
  return (
    <ActionButton
      label={label}
      perform={download}
      done_label=""
      adviceOn={(fault) => <Completion of={fault} customer_id={customer_id} />}
    />
  );
}

/** Where to enter what the e-invoice lacks. */
function Completion({ of: { details }, customer_id }: { of: Fault; customer_id: string }) {
  const lacks = (party: string) => details.some(({ param }) => param?.startsWith(`${party}.`) === true);
  return (
    <>
      {lacks('seller') && (
        <p>
          The seller is in the <Link to="/settings/account">account settings</Link>.
        </p>
      )}
      {lacks('customer') && (
        <p>
          The customer is <Link to={`/customers/${encodeURIComponent(customer_id)}`}>{customer_id}</Link>.
        </p>
      )}
    </>
  );
}
