import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { consumeAll } from '../../../src/db/changes/consume.ts';
import { FEED } from '../../../src/db/feed/consumer.ts';
import { newSecret, signatureHeaders } from '../../../src/webhooks/signature.ts';
import { messageOf } from '../../../src/process/message-of.ts';
import { startApi, type TestApi } from '../../support/servers/api.ts';
import { aFolder } from '../../support/servers/folder.ts';
import { findPythonPackage, isMissing } from '../../support/servers/python.ts';

const DOCUMENT = fileURLToPath(new URL('../../../docs/openapi.json', import.meta.url));
const GUIDE = fileURLToPath(new URL('../../../docs/changes.md', import.meta.url));
const VERSION = '0.29.1';

/** A program of a user: for each charge it prints the class, the class of its aggregation, and a price that only this class has. */
const PROGRAM = `import json, sys
from tidemark import AuthenticatedClient
from tidemark.api.pricing_plans import get_pricing_plan
from tidemark.models import Error, PricingPlan

client = AuthenticatedClient(base_url=sys.argv[1], token=sys.argv[2])
plan = get_pricing_plan.sync(sys.argv[3], client=client)
assert isinstance(plan, PricingPlan), plan
PRICES = {
    "flat": lambda charge: charge.flat_amount,
    "per_unit": lambda charge: charge.unit_amount,
    "graduated": lambda charge: charge.tiers[0].up_to,
    "volume": lambda charge: charge.tiers[0].unit_amount,
    "package": lambda charge: charge.package_size,
    "credit": lambda charge: charge.credits_per_unit,
}
charges = [
    [type(charge).__name__, type(charge.aggregation).__name__, PRICES[charge.pricing_model](charge)]
    for charge in plan.charges
]
refusal = get_pricing_plan.sync("plan_nothing", client=client)
assert isinstance(refusal, Error), refusal
print(json.dumps({"charges": charges, "code": refusal.error.code}))
`;

const WEBHOOKS_VERSION = '1.1.0';

/** The code blocks of docs/changes.md, and a program of a user of both. */
const CHANGES = [...readFileSync(GUIDE, 'utf8').matchAll(/```python\n(.*?)```/gs)]
  .map(([, code]) => code)
  .join('\n');
const FOLLOWER = `${CHANGES}
import sys
changes = follow(sys.argv[1], sys.argv[2], 0, "customer.*,pricing_plan.created")
first = [next(changes) for _ in range(2)]
print(json.dumps([[type(one).__name__, one.type_, one.data.external_id if one.customer_id else one.data.name] for one in first]))
received = json.loads(sys.argv[3])
print(verified(received["body"].encode(), received["headers"], sys.argv[4])["id"])
try:
    verified(received["body"].replace("customer", "Customer").encode(), received["headers"], sys.argv[4])
except Exception as error:
    print(type(error).__name__)
`;

describe('a client in Python', () => {
  let api: TestApi;
  let commands: string | null = null;
  before(async function () {
    this.timeout(300_000);
    try {
      commands = await findPythonPackage('openapi-python-client', VERSION);
    } catch (error) {
      if (!isMissing(error)) throw error;
      console.log(`      There is no python3 on the PATH, its client is not tried: ${messageOf(error)}`);
      this.skip();
    }
    api = await startApi();
  });

  it('that openapi-python-client makes of docs/openapi.json reads a plan of every model', async function () {
    this.timeout(180_000);
    const folder = await aFolder();
    const run = promisify(execFile);
    const generate = ['generate', '--path', DOCUMENT, '--meta', 'none', '--output-path', 'tidemark'];
    const { stdout: said, stderr } = await run(join(commands!, 'openapi-python-client'), generate, {
      cwd: folder,
    });
    // Documents, archives and the logo are the only responses that are neither JSON nor text.
    const left_out = [...`${said}\n${stderr}`.matchAll(/^(?:WARNING|ERROR) .*|^Unable to .*/gm)].map(
      ([line]) => line,
    );
    const not_json = [
      'invoices/{id}.pdf within invoices',
      'invoices/{id}.xml within invoices',
      'payments/{id}.pdf within invoices',
      'closed-months/{month}/archive.zip within invoices',
      'credit-notes/{id}.pdf within credit_notes',
      'credit-notes/{id}.xml within credit_notes',
      'customers/{id}/statement.pdf within collections',
      'emails/{id}.eml within emails',
      'account/logo within account',
    ].map((place) => `WARNING parsing GET /v1/${place}.`);
    assert.deepEqual(left_out, not_json);
    writeFileSync(join(folder, 'program.py'), PROGRAM);
    const args = ['program.py', api.url, api.test_key, await aPlanOfEveryModel()];
    const { stdout } = await run(join(commands!, 'python'), args, { cwd: folder });
    assert.deepEqual(JSON.parse(stdout), {
      charges: [
        ['FlatCharge', 'CountAggregation', '49'],
        ['PerUnitCharge', 'PropertyAggregation', '1'],
        ['GraduatedCharge', 'CountAggregation', '10'],
        ['VolumeCharge', 'CountAggregation', '0.5'],
        ['PackageCharge', 'CountAggregation', '1000'],
        ['CreditCharge', 'CountAggregation', '2'],
      ],
      code: 'not_found',
    });
  });

  it('follows the feed and verifies webhooks as docs/changes.md says', async function () {
    this.timeout(180_000);
    const folder = await aFolder();
    const run = promisify(execFile);
    await run(join(commands!, 'pip'), ['install', '--quiet', `standardwebhooks==${WEBHOOKS_VERSION}`]);
    const generate = ['generate', '--path', DOCUMENT, '--meta', 'none', '--output-path', 'tidemark'];
    await run(join(commands!, 'openapi-python-client'), generate, { cwd: folder });
    writeFileSync(join(folder, 'follower.py'), FOLLOWER);
    const { body: customer } = await api.post('/v1/customers', { external_id: 'followed' });
    await aPlanOfEveryModel();
    await consumeAll(api.pool, FEED);
    const secret = newSecret();
    const body = JSON.stringify({ id: customer.id, type: 'customer.created' });
    const headers = signatureHeaders({ id: 'chn_1', body, sent_at: new Date(), secrets: [secret] });
    const args = ['follower.py', api.url, api.test_key, JSON.stringify({ body, headers }), secret];
    const { stdout } = await run(join(commands!, 'python'), args, { cwd: folder });
    const [changes, id, refusal] = stdout.trim().split('\n');
    assert.deepEqual(JSON.parse(changes!), [
      ['PricingPlanChange', 'pricing_plan.created', 'Plan'],
      ['CustomerChange', 'customer.created', 'followed'],
    ]);
    assert.deepEqual([id, refusal], [customer.id, 'WebhookVerificationError']);
  });

  async function aPlanOfEveryModel(): Promise<string> {
    const tiers = [
      { up_to: 10, unit_amount: '0.5' },
      { up_to: null, unit_amount: '0.1' },
    ];
    const charges = [
      { event_name: 'a', pricing_model: 'flat', flat_amount: '49' },
      {
        ...{ event_name: 'b', pricing_model: 'per_unit', unit_amount: '1' },
        ...{ aggregation: { type: 'sum', property: 'n' }, filters: { region: ['eu', 1, true] } },
      },
      { event_name: 'c', pricing_model: 'graduated', tiers },
      { event_name: 'd', pricing_model: 'volume', tiers },
      { event_name: 'e', pricing_model: 'package', package_size: '1000', package_amount: '1' },
      { event_name: 'f', pricing_model: 'credit', credits_per_unit: '2' },
    ];
    const { status, body } = await api.post('/v1/pricing-plans', { name: 'Plan', charges });
    assert.equal(status, 201, JSON.stringify(body));
    return body.id;
  }
});
