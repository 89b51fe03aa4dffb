import { useClient } from '../shell/session.tsx';

/**
 * Returns a function that saves a file of the API under a name, by default that of the API. A plain link would not say
 * which environment the file is of.
 */
export function useDownload(): (path: string, name?: string) => Promise<void> {
  const client = useClient();
  return async (path, name) => {
    const file = await client.file(path);
    const address = URL.createObjectURL(file);
    const link = document.createElement('a');
    link.href = address;
    link.download = name ?? file.name;
    link.click();
    // The browser has taken it by then.
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
  };
}
