import { useDownload } from '../api/use-download.ts';
import { ActionButton } from './action-button.tsx';

/** Downloads the PDF document of an invoice or a credit note: `path` without its ending, `name` for the file. */
export function PdfButton({ path, name }: { path: string; name: string }) {
  const download = useDownload();
  return <ActionButton label="PDF" perform={() => download(`${path}.pdf`, `${name}.pdf`)} done_label="" />;
}
