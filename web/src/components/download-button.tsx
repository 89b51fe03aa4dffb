import { useDownload } from '../api/use-download.ts';
import { ActionButton } from './action-button.tsx';

type DownloadProps = {
  label: string;
  /** The file's path in the API. */
  path: string;
  /** The name under which it is saved. */
  name: string;
};

/** A button that saves a file of the API. */
export function DownloadButton({ label, path, name }: DownloadProps) {
  const download = useDownload();
  return <ActionButton label={label} perform={() => download(path, name)} done_label="" />;
}
