import { Fault } from '../../api/fault.ts';
import { useDownload } from '../../api/use-download.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { DownloadButton } from '../../components/download-button.tsx';

/** The PDF of a document beside it in a list. */
export function PdfButton({ path, name }: Pick<DownloadsProps, 'path' | 'name'>) {
  return (
    <DownloadButton
      label={
        <>
          PDF<span class="unseen"> of {name}</span>
        </>
      }
      path={`${path}.pdf`}
      name={`${name}.pdf`}
    />
  );
}

type DownloadsProps = {
  /** Path of the invoice or credit note in the API. */
  path: string;
  /** Name of the saved files, without their ending. */
  name: string;
  /** A void document has no e-invoice. */
  has_e_invoice: boolean;
};

/** The files of a document for its payer, who cannot add what an e-invoice lacks. */
export function Downloads({ path, name, has_e_invoice }: DownloadsProps) {
  const download = useDownload();
  const saveXml = async () => {
    try {
      await download(`${path}.xml`, `${name}.xml`);
    } catch (error) {
      throw error instanceof Fault && error.status === 409 ? withoutFields(error) : error;
    }
  };
  return (
    <div class="page-actions">
      <DownloadButton label="PDF" path={`${path}.pdf`} name={`${name}.pdf`} />
      {has_e_invoice && <ActionButton label="E-invoice (XML)" perform={saveXml} done_label="" />}
    </div>
  );
}

function withoutFields({ status, code, request_id }: Fault): Fault {
  const message = 'This document lacks data that an e-invoice needs. Ask the sender for it.';
  return new Fault({ status, code, message, details: [], request_id });
}
