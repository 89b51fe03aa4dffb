import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { namedOperations, permissionOf } from '../../../api/access/permissions.ts';
import { dashboardRoutesBeside } from '../../../api/dashboard/routes.ts';
import type { Route } from '../../../api/routing/route.ts';
import { routes } from '../../../api/routes.ts';
import { newApiKey } from '../../../src/keys/api-key.ts';
import { insertKey } from '../../../src/db/account/api-keys.ts';
import type { KeyKind } from '../../../src/objects/api-key.ts';
import { isAtLeast, ROLES, type Role } from '../../../src/domain/people/role.ts';
import { startApi, type Received, type TestApi } from '../../support/servers/api.ts';
import { signIn, signInAs, tokenOf, type SignedIn } from '../../support/servers/signed-in.ts';

const DOCUMENT = new URL('../../../docs/permissions.md', import.meta.url);
const ALL = [...routes, ...dashboardRoutesBeside(routes)];

/** The least role of each path, as contract.md 9 lists them; every other GET is for a viewer. Independent of the table of the product. */
const LEAST_ROLE: Readonly<Record<Exclude<Role, 'viewer'>, string>> = {
  support: `
    POST /v1/invoices/{id}/void, POST /v1/invoices/{id}/regenerate, POST /v1/invoices/{id}/finalize, POST /v1/invoices/generate,
    POST /v1/credit-grants, POST /v1/credit-grants/{id}/void, POST /v1/subscriptions/{id}/cancel, POST /v1/subscriptions/{id}/wake,
    POST /v1/test-clock/advance, POST /v1/portal-sessions, POST /v1/portal-sessions/{id}/revoke, DELETE /v1/subscriptions/{id}/cancel,
    POST /v1/invoices/{id}/send, POST /v1/credit-notes/{id}/send, POST /v1/payments/{id}/send, POST /v1/emails/{id}/resend,
    POST /v1/emails/{id}/cancel, POST /v1/customers/{id}/statement/send,
    POST /v1/invoices/{id}/pause-collection, POST /v1/invoices/{id}/resume-collection,
    POST /v1/customers/{id}/pause-collection, POST /v1/customers/{id}/resume-collection,
    POST /v1/customers/{id}/payment-method-sessions, POST /v1/invoices/{id}/payment-sessions,
    POST /v1/payment-sessions/{id}/refresh`,
  finance: `
    POST /v1/events, POST /v1/events/batch, POST /v1/customers, POST /v1/pricing-plans, POST /v1/pricing-plans/preview,
    POST /v1/subscriptions, POST /v1/invoices/{id}/pay, POST /v1/invoices/{id}/payments,
    POST /v1/invoices/{id}/payments/{payment_id}/reverse, POST /v1/customers/{id}/payments, POST /v1/payments/{id}/reverse,
    POST /v1/transfers, POST /v1/transfers/match, POST /v1/transfers/{id}/reverse, POST /v1/closed-months,
    POST /v1/invoices/{id}/credit-notes, POST /v1/invoices/{id}/apply-balance, POST /v1/credit-notes/{id}/void,
    POST /v1/customers/{id}/balance-adjustments, POST /v1/invoice-items, PATCH /v1/customers/{id}, PATCH /v1/account, PATCH /v1/subscriptions/{id},
    DELETE /v1/customers/{id}, DELETE /v1/invoice-items/{id}, POST /v1/subscriptions/{id}/change,
    DELETE /v1/subscriptions/{id}/change, POST /v1/subscriptions/{id}/quantities,
    DELETE /v1/subscriptions/{id}/quantities, POST /v1/subscriptions/{id}/trial, POST /v1/pricing-plans/{id}/archive,
    DELETE /v1/pricing-plans/{id}/archive, POST /v1/plan-migrations, POST /v1/plan-migrations/{id}/stop,
    POST /v1/plan-migrations/{id}/take-back, PUT /v1/account/logo, DELETE /v1/account/logo, POST /v1/discounts,
    POST /v1/discounts/{id}/end, POST /v1/invoices/{id}/charge, PUT /v1/email-texts/{kind}/{language}, DELETE /v1/email-texts/{kind}/{language},
    POST /v1/payments/{id}/refund, POST /v1/payment-methods/{id}/default, POST /v1/payment-methods/{id}/remove`,
  admin: `
    POST /v1/payment-providers, PATCH /v1/payment-providers/{id}, DELETE /v1/payment-providers/{id},
    POST /v1/customers/{id}/redact, POST /v1/closed-months/{month}/open`,
};
/** Everything below these paths is for admins. */
const OF_ADMINS = ['/v1/webhook-endpoints', '/dashboard/api/keys', '/dashboard/api/users'];
/** Requests of the dashboard that change nothing, or nothing but one's own session. */
const OF_VIEWERS = `
  POST /dashboard/api/passkeys, POST /dashboard/api/passkeys/options, POST /dashboard/api/passkeys/{id}/remove, POST /dashboard/api/prices, POST /dashboard/api/session/end, POST /dashboard/api/sessions/{id}/revoke, POST /dashboard/api/names, POST /dashboard/api/customer-figures,
  POST /dashboard/api/test-clocks`;

/** All that a portal link may use (contract.md 9). */
const OF_PORTAL_LINKS = `
  GET /v1/customers/{id}, GET /v1/customers/{id}/usage, GET /v1/customers/{id}/statement, GET /v1/customers/{id}/statement.pdf, GET /v1/subscriptions, GET /v1/subscriptions/{id},
  GET /v1/subscriptions/{id}/upcoming-invoice, GET /v1/subscriptions/{id}/upcoming-invoice/comparison, GET /v1/invoices,
  GET /v1/invoices/summary, GET /v1/payments, GET /v1/payments/{id}.pdf, GET /v1/invoices/{id}, GET /v1/invoices/{id}/comparison, GET /v1/invoices/{id}.pdf,
  GET /v1/invoices/{id}.xml, GET /v1/invoices/{id}/line-items/{line_item_id}/events, GET /v1/credit-notes,
  GET /v1/credit-notes/{id}, GET /v1/credit-notes/{id}.pdf, GET /v1/credit-notes/{id}.xml, GET /v1/credit-grants,
  GET /v1/payment-methods, GET /v1/payment-methods/{id}, POST /v1/customers/{id}/payment-method-sessions,
  GET /v1/payment-sessions, GET /v1/payment-sessions/{id}, POST /v1/invoices/{id}/payment-sessions, POST /v1/payment-sessions/{id}/refresh,
  POST /v1/payment-methods/{id}/default, POST /v1/payment-methods/{id}/remove,
  GET /v1/credit-grants/{id}, GET /v1/pricing-plans/{id}, POST /v1/portal-sessions/{id}/revoke,
  GET /v1/portal-sessions/{id}, GET /v1/account/logo`;

const listed = (text: string): string[] => text.split(',').map((entry) => entry.trim());

function leastRoleOf({ method, path }: Route): Role {
  const name = `${method.toUpperCase()} ${path}`;
  if (OF_ADMINS.some((place) => path === place || path.startsWith(`${place}/`))) return 'admin';
  const found = (['support', 'finance', 'admin'] as const).find((role) =>
    listed(LEAST_ROLE[role]).includes(name),
  );
  if (found !== undefined) return found;
  assert.ok(method === 'get' || listed(OF_VIEWERS).includes(name), `${name} has no least role`);
  return 'viewer';
}

type Send = (method: string, path: string) => Promise<Received>;

describe('permissions', function () {
  this.timeout(120_000);
  let api: TestApi;
  let owner: SignedIn;
  before(async () => {
    api = await startApi();
    owner = await signIn(api);
  });
  after(() => api.close());

  const pathOf = ({ path }: Route) => path.replaceAll(/\{\w+\}/g, 'nothing');
  const codeOf = ({ status, body }: Received): [number, string | null] => [
    status,
    status === 401 ? (body.error.details[0]?.reason ?? null) : null,
  ];

  async function assertAnswers(send: Send, mayUse: (route: Route) => boolean): Promise<void> {
    for (const route of ALL) {
      const name = `${route.method} ${route.path}`;
      const answer = codeOf(await send(route.method.toUpperCase(), pathOf(route)));
      if (mayUse(route)) assert.notEqual(answer[0], 401, name);
      else assert.deepEqual(answer, [401, 'not_permitted'], name);
    }
  }

  const sentBy =
    (headers: Record<string, string>, key: string | null): Send =>
    (method, path) =>
      api.request(path, { method, key, headers, ...(method === 'GET' ? {} : { body: {} }) });

  for (const role of ROLES)
    it(`${role}: every route, as the contract lists them`, async () => {
      const { cookie } = await signInAs(api, owner, role);
      const send: Send = async (method, path) => {
        // This one ends the session, so another session sends it.
        const own =
          path === '/dashboard/api/session/end' ? (await signInAs(api, owner, role)).cookie : cookie;
        return sentBy({ Cookie: own, 'Tidemark-Environment': 'test' }, null)(method, path);
      };
      await assertAnswers(send, (route) => isAtLeast(role, leastRoleOf(route)));
    });

  const KINDS: Record<KeyKind, (route: Route) => boolean> = {
    full: ({ path }) => path.startsWith('/v1/'),
    read_only: (route) =>
      route.path.startsWith('/v1/') && route.method === 'get' && leastRoleOf(route) !== 'admin',
    events_only: ({ method, path }) => method === 'post' && ['/v1/events', '/v1/events/batch'].includes(path),
  };
  for (const [kind, mayUse] of Object.entries(KINDS))
    it(`a key of kind ${kind}: every route`, async () => {
      const secret = newApiKey(false);
      const { rows } = await api.pool.query('select id from environments where not livemode');
      await insertKey(api.pool, rows[0].id, { secret, name: kind, kind: kind as KeyKind });
      await assertAnswers(sentBy({}, secret), mayUse);
    });

  it('a portal link: every route', async () => {
    await api.post('/v1/customers', { external_id: 'payer' });
    const { status, body } = await api.post('/v1/portal-sessions', { customer_id: 'payer' });
    assert.equal(status, 201);
    const usable = listed(OF_PORTAL_LINKS);
    await assertAnswers(sentBy({}, tokenOf(body.url)), ({ method, path }) =>
      usable.includes(`${method.toUpperCase()} ${path}`),
    );
  });

  it('nobody: no route, and no word about why', async () => {
    for (const route of ALL) {
      const answer = await sentBy({ 'X-Forwarded-For': '192.0.2.1' }, null)(
        route.method.toUpperCase(),
        pathOf(route),
      );
      assert.deepEqual(codeOf(answer), [401, null], route.path);
    }
  });

  it('the message names the role, and an unknown path is a 404 first', async () => {
    const { post } = await signInAs(api, owner, 'viewer');
    const { body } = await post('/v1/invoices/inv_1/void');
    assert.match(body.error.message, /^your role is viewer: this needs the role support$/);
    assert.equal((await post('/v1/nothing')).status, 404);
  });

  it('the table names no operation that does not exist', () => {
    const known = ALL.map(({ operation_id }) => operation_id);
    assert.deepEqual(
      namedOperations().filter((name) => !known.includes(name)),
      [],
    );
  });

  it('docs/permissions.md lists every route', () => {
    const text = documentOf(ALL);
    const before = readFileSync(DOCUMENT, { encoding: 'utf8', flag: 'a+' });
    writeFileSync(DOCUMENT, text);
    assert.equal(before, text, 'docs/permissions.md was out of date: it is written anew, run the test again');
  });
});

function documentOf(all: readonly Route[]): string {
  const rows = all.map((route) => {
    const { least_role, keys, portal } = permissionOf(route);
    const name = `${route.method.toUpperCase()} ${route.path}`;
    return `| \`${name}\` | ${route.operation_id} | ${least_role} | ${keys.join(', ') || 'none'} | ${portal === null ? 'no' : 'yes'} |`;
  });
  return [
    '# Permissions',
    '',
    'Who may use each route: the least role of a person who is signed in, the kinds of API keys, and portal links, which read what is of their',
    'customer. Roles are a chain: viewer, support, finance, admin. `test/api/account/permissions.test.ts` writes this page from `api/access/permissions.ts`.',
    '',
    '| route | operation | least role | kinds of keys | portal links |',
    '|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}
