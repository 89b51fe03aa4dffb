import type { Fault } from '../../api/fault.ts';
import { Link } from '../../shell/environment.tsx';
import { CustomerLink } from './links.tsx';
import { DownloadButton } from '../../components/download-button.tsx';

type DocumentDownloadsProps = {
  /** Path of the invoice or credit note in the API. */
  path: string;
  /** Name of the saved files, without their ending. */
  name: string;
  customer_id: string;
  /** A draft and a void document have no e-invoice. */
  has_e_invoice: boolean;
};

/** The files of an invoice or a credit note. */
export function DocumentDownloads({ path, name, customer_id, has_e_invoice }: DocumentDownloadsProps) {
  return (
    <>
      <DownloadButton label="PDF" path={`${path}.pdf`} name={`${name}.pdf`} />
      {has_e_invoice && (
        <DownloadButton
          label="E-invoice (XML)"
          path={`${path}.xml`}
          name={`${name}.xml`}
          adviceOn={(fault) => <Completion fault={fault} customer_id={customer_id} />}
        />
      )}
    </>
  );
}

/** Links to the pages where the missing parts of the e-invoice are entered. */
function Completion({ fault: { details }, customer_id }: { fault: Fault; customer_id: string }) {
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
          The customer is <CustomerLink id={customer_id} />.
        </p>
      )}
    </>
  );
}
