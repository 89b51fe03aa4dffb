import assert from 'node:assert/strict';
import type { Role } from '../../../src/domain/people/role.ts';
import { newSignInLink } from '../../../src/db/account/sign-in-link.ts';
import type { Received, Sent, TestApi } from './api.ts';

/** A client of the dashboard's API: requests with a session cookie, in the test environment by default. */
export type SignedIn = {
  cookie: string;
  session_id: string;
  request: (path: string, sent?: Sent) => Promise<Received>;
  post: (path: string, body?: unknown) => Promise<Received>;
};

type Signable = Pick<TestApi, 'pool' | 'url' | 'post' | 'request'>;

/** The token of a new sign-in link. */
export async function linkToken(api: Pick<Signable, 'pool' | 'url'>): Promise<string> {
  const link = await newSignInLink(api.pool, `${api.url}/`);
  return tokenOf(link!);
}

/** Signs in as the owner, with a new link of the command line. */
export async function signIn(api: Signable): Promise<SignedIn> {
  return signInWith(api, await linkToken(api));
}

let invited = 0;

/** Invites a person, and signs in as the person. */
export async function signInAs(
  api: TestApi,
  admin: SignedIn,
  role: Role,
): Promise<SignedIn & { user_id: string }> {
  const person = { email: `person-${++invited}@example.com`, name: `Person ${invited}`, role };
  const { status, body } = await admin.post('/dashboard/api/users', person);
  assert.equal(status, 201);
  return { ...(await signInWith(api, tokenOf(body.invite_url))), user_id: body.id };
}

/** The token of a link. */
export function tokenOf(link: string): string {
  return new URL(link).hash.slice(1);
}

/** Signs in with the token of a link. */
export async function signInWith(api: Signable, token: string): Promise<SignedIn> {
  const answer = await api.post('/dashboard/api/session', { token }, { key: null });
  assert.equal(answer.status, 201);
  const cookie = answer.headers.get('set-cookie')!.split(';')[0]!;
  const request = (path: string, { headers, ...sent }: Sent = {}) =>
    api.request(path, {
      key: null,
      ...sent,
      headers: { Cookie: cookie, 'Tidemark-Environment': 'test', ...headers },
    });
  const post = (path: string, posted: unknown = {}) => request(path, { method: 'POST', body: posted });
  return { cookie, session_id: answer.body.id, request, post };
}
