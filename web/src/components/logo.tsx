import type { Client } from '../api/client.ts';
import { asFault } from '../api/fault.ts';
import { useLoad, type Loaded } from '../api/use-load.ts';

/** The logo of the account as an address of its data; null without one. */
export type LoadedLogo = { address: string | null };

/** Loads the logo of the account. */
export function useLogo(): Loaded<LoadedLogo> {
  return useLoad<LoadedLogo>('/v1/account/logo', readLogo);
}

async function readLogo(client: Client, path: string): Promise<LoadedLogo> {
  const file = await client.file(path).catch((error: unknown) => {
    if (asFault(error).status === 404) return null;
    throw error;
  });
  return { address: file && (await dataAddressOf(file)) };
}

/** A file as a data: address, the only address of an image besides our own that pages may show. */
export function dataAddressOf(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error ?? new Error('the file was not read'));
    reader.readAsDataURL(file);
  });
}

/** The logo of the seller, where there is one. Its name stands beside it. */
export function Logo() {
  const { value } = useLogo();
  return value?.address ? <LogoImage address={value.address} /> : null;
}

export function LogoImage({ address }: { address: string }) {
  return <img class="logo" src={address} alt="Logo" />;
}
