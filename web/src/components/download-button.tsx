import type { ComponentChildren } from 'preact';
import type { Fault } from '../api/fault.ts';
import { useDownload } from '../api/use-download.ts';
import { ActionButton } from './action-button.tsx';

type DownloadButtonProps = {
  label: ComponentChildren;
  /** Path of the file in the API. */
  path: string;
  /** Name of the saved file; without it, the one that the API gives it. */
  name?: string;
  adviceOn?: (fault: Fault) => ComponentChildren;
};

/** Saves a file of the API. */
export function DownloadButton({ label, path, name, adviceOn }: DownloadButtonProps) {
  const download = useDownload();
  return (
    <ActionButton
      label={label}
      perform={() => download(path, name)}
      done_label=""
      {...(adviceOn === undefined ? {} : { adviceOn })}
    />
  );
}
