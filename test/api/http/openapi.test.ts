import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { openApiOf } from '../../../api/reference/openapi.ts';
import { routes } from '../../../api/routes.ts';
import { DASHBOARD_PATHS } from '../../../src/objects/dashboard-paths.ts';
import { REASONS } from '../../../src/domain/money/errors.ts';
import { startApi, type Json, type TestApi } from '../../support/servers/api.ts';
import { ALL_SCHEMAS, clientTypes, dashboardTypes, PUBLIC_SCHEMAS } from '../../support/sources/api-types.ts';

const document: Json = JSON.parse(JSON.stringify(openApiOf(routes)));

describe('the OpenAPI document', () => {
  it('is the one in docs/openapi.json', () =>
    keep('docs/openapi.json', `${JSON.stringify(document, null, 2)}\n`));

  it('gives the dashboard its types, in web/src/api/schema.ts', async () =>
    keep('web/src/api/schema.ts', await dashboardTypes()));

  it('gives the client in TypeScript its types, in sdk/typescript/src/schema.ts', async () =>
    keep('sdk/typescript/src/schema.ts', await clientTypes()));

  it('shares no schema name with another object of the dashboard', () => {
    const same_names = Object.keys(PUBLIC_SCHEMAS).map((name) => [name, ALL_SCHEMAS[name]]);
    assert.deepEqual(Object.fromEntries(same_names), PUBLIC_SCHEMAS);
  });

  const SPECIFIED = [
    'post /v1/events',
    'post /v1/events/batch',
    'get /v1/events',
    'post /v1/customers',
    'post /v1/pricing-plans',
    'get /v1/pricing-plans/{id}',
    'post /v1/subscriptions',
    'get /v1/invoices',
    'get /v1/invoices/{id}',
    'post /v1/credit-grants',
  ];
  for (const endpoint of SPECIFIED) {
    it(`has ${endpoint}`, () => {
      const [method, path] = endpoint.split(' ') as [string, string];
      assert.ok(document.paths[path][method]);
    });
  }

  it('has exactly the errors that an operation can give', () => {
    const errors = (method: string, path: string) =>
      Object.keys(document.paths[path][method].responses).filter((status) => status >= '400');
    const CAN_GIVE: [endpoint: string, ...missing_or_conflict: string[]][] = [
      ['post /v1/events', '404', '409'],
      ['get /v1/events'],
      ['get /v1/events/{id}', '404'],
      ['post /v1/customers', '409'],
      ['patch /v1/customers/{id}', '404', '409'],
      ['post /v1/subscriptions', '404', '409'],
      ['get /v1/subscriptions/{id}/upcoming-invoice', '404', '409'],
      ['post /v1/test-clock/advance', '404', '409'],
    ];
    for (const [endpoint, ...expected] of CAN_GIVE) {
      const [method, path] = endpoint.split(' ') as [string, string];
      assert.deepEqual(errors(method, path), ['400', '401', ...expected, '429', '500'], endpoint);
    }
  });

  it('has no member with a name of Object.prototype, which validation would find in every body', () => {
    const named = new Set<string>();
    const walk = (value: Json) => {
      if (typeof value !== 'object' || value === null) return;
      if (typeof value.properties === 'object')
        for (const name of Object.keys(value.properties)) named.add(name);
      Object.values(value).forEach(walk);
    };
    walk(document);
    assert.ok(named.has('idempotency_key'));
    assert.deepEqual(
      [...named].filter((name) => name in {}),
      [],
    );
  });

  it('describes every tag', () => {
    for (const { name, description } of document.tags) assert.ok(description, name);
  });

  it('allows null in a body for optional members only', () => {
    const { schema } = document.paths['/v1/customers'].post.requestBody.content['application/json'];
    const takesNull = (name: string) => [schema.properties[name].type].flat().includes('null');
    assert.deepEqual(Object.keys(schema.properties).filter(takesNull), [
      'name',
      'email',
      'tax_treatment',
      'address',
      'tax_ids',
      'buyer_reference',
      'timezone',
      'net_days',
      'billing_emails',
      'email_muted',
      'language',
      'reminder_days',
      'charge_mode',
      'metadata',
      'currency',
      'tax_rate',
    ]);
    assert.deepEqual(schema.required, ['external_id']);
  });

  it('lists every reason', () => {
    assert.deepEqual(document.components.schemas.ErrorDetail.properties.reason.enum, REASONS);
  });

  it('names every object of a union, null beside it too', () => {
    const inline: string[] = [];
    let unions = 0;
    const walk = (node: Json, place: string) => {
      if (typeof node !== 'object' || node === null) return;
      for (const variant of [node.oneOf, node.anyOf].flat()) {
        if (variant === undefined) continue;
        unions++;
        const { type, properties, items = {} } = variant;
        if (type === 'object' || properties !== undefined || items.type === 'object') inline.push(place);
      }
      for (const [name, member] of Object.entries(node)) walk(member, `${place}/${name}`);
    };
    walk(document, '');
    assert.ok(unions > 100, `${unions}`);
    assert.deepEqual(inline, []);
  });

  it('names each operation once', () => {
    const names = routes.map(({ operation_id }) => operation_id);
    assert.equal(new Set(names).size, names.length);
  });

  it('has no broken reference, and no keyword of our own', () => {
    const text = JSON.stringify(document);
    for (const [, path] of text.matchAll(/"\$ref":"#\/([^"]+)"/g)) {
      const found = path!.split('/').reduce((node: Json, name) => node?.[name], document);
      assert.ok(found, path);
    }
    assert.doesNotMatch(text, /"x-/);
  });

  it('has valid JSON Schemas', () => {
    const text = JSON.stringify(document.components.schemas).replaceAll('#/components/schemas/', '#/$defs/');
    const $defs = JSON.parse(text);
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
    for (const name of Object.keys($defs)) assert.ok(ajv.compile({ $defs, $ref: `#/$defs/${name}` }), name);
  });
});

/** Rewrites a generated file that is outdated, and fails. */
function keep(path: string, text: string): void {
  const file = new URL(`../../../${path}`, import.meta.url);
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
  writeFileSync(file, text);
  assert.fail(`${path} was old and is written anew: read what changed, commit it, and run the test again`);
}

describe('pages', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi();
  });
  after(() => api.close());

  const page = async (path: string) => {
    const { status, headers, body } = await api.request(path, { key: null });
    assert.equal(status, 200, path);
    return { headers, body };
  };

  it('the document is served without a key', async () => {
    assert.deepEqual((await page('/openapi.json')).body, document);
  });

  for (const path of ['/', '/docs']) {
    it(`${path} loads nothing from another host`, async () => {
      const { headers, body } = await page(path);
      assert.equal(headers.get('content-type'), 'text/html; charset=utf-8');
      const policy = headers.get('content-security-policy')!;
      assert.match(policy, /default-src 'none'; script-src 'self';/);
      assert.doesNotMatch(policy, /https?:|\*|unsafe-eval/);
      for (const [, address] of body.matchAll(/(?:src|href)="([^"]+)"/g))
        assert.ok(address.startsWith('/'), address);
    });
  }

  it('every file that the dashboard loads exists, and may be cached forever', async () => {
    const { body } = await page('/');
    const addresses = [...body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address);
    assert.ok(addresses.length >= 3);
    for (const address of addresses)
      assert.match(
        (await page(address)).headers.get('cache-control')!,
        /max-age=31536000,\s?immutable/,
        address,
      );
  });

  for (const path of DASHBOARD_PATHS.map((pattern) => pattern.replace(':id', 'a%2Fb')))
    it(`${path} is the dashboard, and is revalidated each time`, async () => {
      const { headers, body } = await page(path);
      assert.match(body, /<script type="module"/);
      assert.match(headers.get('cache-control')!, /no-store/);
    });

  for (const path of [
    ...['/nothing', '/invoice', '/settings/nothing', '/settings/keys/1', '/invoices/inv_1/nothing'],
    ...['/assets/none.js', '/assets/..%2findex.html', '/assets/'],
  ])
    it(`${path} is not found`, async () => {
      assert.equal((await api.request(path, { key: null })).status, 404);
    });

  it('every file that the reference loads exists', async () => {
    const { body } = await page('/docs');
    const addresses = [...body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address);
    assert.equal(addresses.length, 4);
    for (const address of addresses) await page(address);
    assert.match((await page('/docs/start.js')).body, /url: '\/openapi.json'/);
  });
});
