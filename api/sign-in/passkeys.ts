import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
  type AuthenticationResponseJSON,
  type RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { lockCredential, usePasskey, type Credential } from '../../src/db/account/passkeys.ts';
import type { SignedInUser } from '../../src/db/account/sessions.ts';
import type { Db } from '../../src/db/connection/pool.ts';
import { dashboardUrlOf } from '../../src/settings/public-url.ts';
import type { Deps } from '../http/deps.ts';
import { answered, newChallenge } from './challenge.ts';

const CHALLENGE_MINUTES = 5;
/** EdDSA, ES256 and RS256, by their numbers of COSE. */
const ALGORITHMS = [-8, -7, -257];
const SIGN_IN = { purpose: 'sign in by passkey', minutes: CHALLENGE_MINUTES };

const additionBy = (user_id: string) => ({
  purpose: `passkey of ${user_id}`,
  minutes: CHALLENGE_MINUTES,
});

/** Options for a browser that makes a passkey for a user, and not a second one on a device that has one of `known`. */
export async function optionsToAdd(deps: Deps, user: SignedInUser, known: readonly string[]) {
  return generateRegistrationOptions({
    rpName: 'Tidemark',
    rpID: hostOf(deps),
    userName: user.email ?? user.name,
    userDisplayName: user.name,
    userID: Uint8Array.from(Buffer.from(user.id, 'utf8')),
    challenge: Uint8Array.from(newChallenge(deps, additionBy(user.id))),
    attestationType: 'none',
    excludeCredentials: known.map((id) => ({ id })),
    supportedAlgorithmIDs: ALGORITHMS,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
}

/** Options for a browser that signs in: any passkey of this host will do. */
export async function optionsToSignIn(deps: Deps) {
  return generateAuthenticationOptions({
    rpID: hostOf(deps),
    challenge: Uint8Array.from(newChallenge(deps, SIGN_IN)),
    userVerification: 'required',
  });
}

/** The credential of a new passkey; null if the response is not good. */
export async function verifiedCredential(
  deps: Deps,
  db: Db,
  { user_id, response }: { user_id: string; response: object },
): Promise<Credential | null> {
  const { purpose } = additionBy(user_id);
  const registration = response as RegistrationResponseJSON;
  const verified = await verifyRegistrationResponse({
    response: registration,
    expectedChallenge: async (challenge) => (await answered(deps, db, { challenge, purpose })) !== null,
    expectedOrigin: originOf(deps, registration),
    expectedRPID: hostOf(deps),
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => null);
  if (verified === null || !verified.verified) return null;
  const { id, publicKey, counter, transports = [] } = verified.registrationInfo.credential;
  return { credential_id: id, public_key: Buffer.from(publicKey), counter, transports };
}

/** The id of the user whose passkey signs in; null for every fault, also where the device's count stands still. */
export async function userOfPasskey(deps: Deps, db: Db, response: object): Promise<string | null> {
  const authentication = response as AuthenticationResponseJSON;
  if (typeof authentication.id !== 'string') return null;
  const known = await lockCredential(db, authentication.id);
  if (known === null) return null;
  const { purpose } = SIGN_IN;
  const verified = await verifyAuthenticationResponse({
    response: authentication,
    expectedChallenge: async (challenge) => (await answered(deps, db, { challenge, purpose })) !== null,
    expectedOrigin: originOf(deps, authentication),
    expectedRPID: hostOf(deps),
    credential: {
      id: known.credential_id,
      publicKey: Uint8Array.from(known.public_key),
      counter: known.counter,
    },
  }).catch(() => null);
  if (verified === null || !verified.verified) return null;
  await usePasskey(db, known.id, verified.authenticationInfo.newCounter);
  return known.user_id;
}

/** The host that passkeys are for. */
function hostOf({ config }: Deps): string {
  return new URL(dashboardUrlOf(config)).hostname;
}

/**
 * The origin that a response must come from. Without PUBLIC_URL any port of the host will do: the port of the page may
 * be a proxy's, and a passkey belongs to the host.
 */
function originOf(deps: Deps, { response }: { response?: { clientDataJSON?: unknown } }): string {
  const expected = new URL(dashboardUrlOf(deps.config)).origin;
  if (deps.config.public_url !== null || typeof response?.clientDataJSON !== 'string') return expected;
  const origin = claimedOrigin(response.clientDataJSON);
  return URL.canParse(origin) && new URL(origin).hostname === hostOf(deps) ? origin : expected;
}

function claimedOrigin(client_data: string): string {
  try {
    const { origin }: { origin?: unknown } = JSON.parse(
      Buffer.from(client_data, 'base64url').toString('utf8'),
    );
    return typeof origin === 'string' ? origin : '';
  } catch {
    return '';
  }
}
