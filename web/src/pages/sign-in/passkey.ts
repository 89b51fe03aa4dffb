import {
  browserSupportsWebAuthn,
  startAuthentication,
  startRegistration,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import type { Client } from '../../api/client.ts';
import { Fault } from '../../api/fault.ts';
import type { Passkey } from '../../api/objects.ts';

/**
 * Whether this browser may have passkeys at this address: browsers refuse them for IP addresses, and on plain http but
 * for localhost.
 */
export function mayHavePasskeys(): boolean {
  return browserSupportsWebAuthn() && isSecureContext && !/^[\d.]+$|^\[/.test(location.hostname);
}

/** Signs in with a passkey of this device. */
export async function signInByPasskey(client: Client): Promise<void> {
  const { options } = await client.post<{ options: PublicKeyCredentialRequestOptionsJSON }>(
    '/dashboard/api/sign-in/options',
  );
  const passkey = await answerOf(startAuthentication({ optionsJSON: options }));
  await client.post('/dashboard/api/session', { passkey }).catch((error: unknown) => {
    throw error instanceof Fault && error.status === 401 ? noPasskey(UNKNOWN) : error;
  });
}

/** Makes a passkey on this device. */
export async function addPasskey(client: Client, name: string): Promise<Passkey> {
  const { options } = await client.post<{ options: PublicKeyCredentialCreationOptionsJSON }>(
    '/dashboard/api/passkeys/options',
  );
  const response = await answerOf(startRegistration({ optionsJSON: options }));
  return client.post<Passkey>('/dashboard/api/passkeys', { name, response });
}

/** The browser's answer. Its refusal, by the person or the device, as a Fault. */
async function answerOf<Answer>(answer: Promise<Answer>): Promise<Answer> {
  return answer.catch((error: unknown) => {
    const is_known = error instanceof Error && error.name === 'InvalidStateError';
    const message = is_known
      ? 'This device has a passkey of yours already.'
      : 'The browser has not answered with a passkey: it was canceled, took too long, or the device has none.';
    throw noPasskey(message);
  });
}

const UNKNOWN =
  'Tidemark does not accept this passkey: it was removed, or is a copy. Ask an admin for a link.';

function noPasskey(message: string): Fault {
  return new Fault({ status: 0, code: 'no_passkey', message, details: [], request_id: null });
}
