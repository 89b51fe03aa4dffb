import { createHash, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { atEnd } from './at-end.ts';

/** A provider of OpenID Connect whose answers a test decides on: `claims` stand in the id token, over those that are right. */
export type TestProvider = {
  issuer: string;
  claims: Record<string, unknown>;
  /** The fault of the token, or of the provider. */
  fault: 'none' | 'signature' | 'silent';
  /** Verifiers of PKCE that did not fit. */
  wrong_verifiers: number;
};

type Asked = { nonce: string; code_challenge: string };

/** Starts a provider on a free port. It asks nobody: who comes to its address is sent back at once. */
export async function startProvider(client_id: string): Promise<TestProvider> {
  const [good, other] = [newKey(), newKey()];
  const asked = new Map<string, Asked>();
  const provider: TestProvider = { issuer: '', claims: {}, fault: 'none', wrong_verifiers: 0 };
  const server = createServer((request, response) => {
    const url = new URL(request.url!, provider.issuer);
    const answer = (body: object) =>
      response.setHeader('Content-Type', 'application/json').end(JSON.stringify(body));
    if (provider.fault === 'silent') return void request.socket.destroy();
    if (url.pathname === '/.well-known/openid-configuration') return void answer(documentOf(provider.issuer));
    if (url.pathname === '/jwks')
      return void answer({ keys: [{ ...good.jwk, use: 'sig', alg: 'RS256', kid: 'k' }] });
    if (url.pathname === '/authorize') {
      const code = randomUUID();
      const { nonce, code_challenge, state, redirect_uri } = Object.fromEntries(url.searchParams);
      asked.set(code, { nonce: nonce!, code_challenge: code_challenge! });
      const back = new URLSearchParams({ code, state: state! });
      return void response.writeHead(302, { Location: `${redirect_uri}?${back.toString()}` }).end();
    }
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      const sent = new URLSearchParams(body);
      const { nonce, code_challenge } = asked.get(sent.get('code')!)!;
      const hashed = createHash('sha256').update(sent.get('code_verifier')!).digest('base64url');
      if (hashed !== code_challenge) provider.wrong_verifiers++;
      const seconds = Math.floor(Date.now() / 1000);
      const claims = {
        ...{ iss: provider.issuer, aud: client_id, sub: 'ada', nonce, iat: seconds, exp: seconds + 300 },
        ...provider.claims,
      };
      const { private_key } = provider.fault === 'signature' ? other : good;
      answer({ access_token: 'a', token_type: 'Bearer', id_token: tokenOf(claims, private_key) });
    });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  atEnd(() => void server.closeAllConnections());
  provider.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  server.unref();
  return provider;
}

function newKey() {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { jwk: publicKey.export({ format: 'jwk' }), private_key: privateKey };
}

function documentOf(issuer: string): object {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ['code'],
    id_token_signing_alg_values_supported: ['RS256'],
    code_challenge_methods_supported: ['S256'],
  };
}

function tokenOf(claims: object, key: ReturnType<typeof newKey>['private_key']): string {
  const encoded = [{ alg: 'RS256', kid: 'k' }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  );
  const text = encoded.join('.');
  return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`;
}
