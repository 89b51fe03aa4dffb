import type { Client } from '../api/client.ts';
import type { Account } from '../api/objects.ts';
import { useLoad, type Loaded } from '../api/use-load.ts';

/** Loads the logo of the account as an address of its data; asks nothing where there is none. */
export function useLogo({ logo_sha256 }: Pick<Account, 'logo_sha256'>): Loaded<string> {
  return useLoad<string>(logo_sha256 === null ? null : '/v1/account/logo', readLogo);
}

async function readLogo(client: Client, path: string): Promise<string> {
  return dataAddressOf(await client.file(path));
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
export function Logo({ of }: { of: Pick<Account, 'logo_sha256'> }) {
  const { value } = useLogo(of);
  return value === null ? null : <LogoImage address={value} />;
}

export function LogoImage({ address }: { address: string }) {
  return <img class="logo" src={address} alt="Logo" />;
}
