import assert from 'node:assert/strict';
import { newSignInLink } from '../../src/sign-in-link.ts';
import type { Received, Sent, TestApi } from './api.ts';

/** A client of the dashboard's API: requests with a session cookie, in the test environment by default. */
export type SignedIn = {
  cookie: string;
  session_id: string;
  request: (path: string, sent?: Sent) => Promise<Received>;
  post: (path: string, body?: unknown) => Promise<Received>;
};

/** The token of a new sign-in link. */
export async function linkToken(api: TestApi): Promise<string> {
  const link = await newSignInLink(api.pool, `${api.url}/`);
  return new URL(link!).hash.slice(1);
}

/** Signs in with a new link. */
export async function signIn(api: TestApi): Promise<SignedIn> {
  const body = { token: await linkToken(api) };
  const answer = await api.post('/dashboard/api/session', body, { key: null });
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
