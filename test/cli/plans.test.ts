import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startApi, type Json, type TestApi } from '../support/servers/api.ts';
import { commandsOf } from '../support/servers/command.ts';
import { aFolder } from '../support/servers/folder.ts';

const PRO = `
# Prices of next year.
- key: pro
  name: Pro
  charges:
    - event_name: api_call
      pricing_model: graduated
      tiers:
        - {up_to: 1000, unit_amount: 0.10}
        - {up_to: null, unit_amount: '0.05'}
`;

/** One charge of each model, with all that is optional, grants, and metadata with what YAML may mistake. */
const ALL_MODELS = {
  key: 'all-models',
  name: 'yes: "all" #1',
  currency: 'EUR',
  interval: 'year',
  interval_count: 2,
  pricing_model: 'per_unit',
  minimum_amount: '120.5',
  metadata: {
    date: '2026-01-01',
    no: 'no',
    number: '1e3',
    real: 1.5,
    none: null,
    list: [],
  },
  grants: [
    { amount: 1000, expires: 'period_end', carry_over_max: 500, prorate: true },
    { amount: 0.5, event_names: ['a'], expires: { days: 45 } },
  ],
  charges: [
    { event_name: 'fee', pricing_model: 'flat', flat_amount: '49', name: 'Fee', billed: 'in_advance' },
    {
      event_name: 'a',
      unit_amount: '0.000000000000001',
      unit_name: 'minutes',
      filters: { region: ['eu', 1, true] },
    },
    {
      event_name: 'b',
      pricing_model: 'graduated',
      tiers: [
        { up_to: '10.5', unit_amount: '1' },
        { up_to: null, unit_amount: '0.5', flat_amount: '2' },
      ],
      aggregation: { type: 'sum', property: 'gb' },
    },
    {
      event_name: 'c',
      pricing_model: 'volume',
      tiers: [{ up_to: null, unit_amount: '1' }],
      group_by: ['region'],
    },
    { event_name: 'd', pricing_model: 'package', package_size: '100', package_amount: '1', free_units: '5' },
    { event_name: 'e', pricing_model: 'credit' },
    {
      event_name: 'f',
      pricing_model: 'percentage',
      rate: '2.9',
      minimum_amount: '0.3',
      aggregation: { type: 'sum', property: 'amount' },
    },
    {
      event_name: 'g',
      prices: [
        { match: { model: ['large'] }, unit_amount: '2' },
        { default: true, unit_amount: '1' },
      ],
    },
  ],
};

describe('npm run tidemark -- plans', function () {
  let api: TestApi;
  let folder: string;
  before(async () => {
    api = await startApi();
    folder = await aFolder();
  });
  after(() => api.close());

  const { run, printed, json } = commandsOf(() => api, 'plans');
  const versionsOf = async (key: string): Promise<Json[]> =>
    (await api.request(`/v1/pricing-plans?key=${key}`)).body.data;
  const file = (content: string, name = 'plans.yaml'): string => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };

  it('apply: shows what differs, needs --yes without a terminal, and makes versions where something differs', async () => {
    assert.equal(await printed('apply', file(PRO), '--dry-run'), 'pro: new\n');
    const unasked = await run('apply', file(PRO));
    assert.deepEqual([unasked.code, unasked.stdout], [2, 'pro: new\n']);
    assert.match(unasked.stderr, /nothing was changed: without a terminal, --yes is required/);
    assert.deepEqual(await versionsOf('pro'), []);
    assert.match(await printed('apply', file(PRO), '--yes'), /^pro: new\npro version 1: plan_\w+\n$/);
    assert.equal(await printed('apply', file(PRO), '--yes'), 'pro: as version 1\n');

    const dearer = file(`${PRO.replace('0.10', '0.20')}- {key: fee, name: Fee, charges: [
      {event_name: fee, pricing_model: flat, flat_amount: 5}]}\n`);
    const shown = await printed('apply', dearer, '--dry-run');
    assert.match(shown, /^pro: version 2 instead of version 1\n +FIELD +BEFORE +AFTER\n/);
    assert.match(shown, /^ +charges\[0\]\.tiers\[0\]\.unit_amount +0\.1 +0\.2\nfee: new$/m);
    const { previews, made } = await json('apply', dearer, '--yes');
    assert.deepEqual(
      previews.map(({ key, version }: Json) => [key, version]),
      [
        ['pro', 2],
        ['fee', 1],
      ],
    );
    assert.deepEqual(made[0], (await versionsOf('pro'))[0]);
    assert.equal((await versionsOf('pro')).length, 2);
  });

  it('apply: a plan with a fault keeps all of the file back, and the reason names the plan and the field', async () => {
    const faulty = file(`- {key: sound, name: A, charges: [{event_name: a, pricing_model: credit}]}
- {key: faulty, name: B, charges: [{event_name: b, pricing_model: flat}]}`);
    const { code, stderr } = await run('apply', faulty, '--yes');
    assert.equal(code, 1);
    assert.match(stderr, /^error: faulty: .*flat_amount.* \(charges\[0\]\.flat_amount\)/);
    assert.deepEqual(await versionsOf('sound'), []);
  });

  for (const [what, content, message] of [
    ['an object', '{key: a}', /must be a list of plans/],
    ['a plan without a key', '- {name: A}', /plan 1 of .* must have a key/],
    ['a key twice', '[{"key": "a"}, {"key": "a"}]', /has the key a twice/],
    ['a member twice', '- {key: a, key: b}', /is not YAML or JSON: Map keys must be unique/],
    ['a broken file', '- {key: a', /is not YAML or JSON/],
    ['more than 1,000 plans', '- {}\n'.repeat(1001), /has 1001 plans, but may have 1000/],
    [
      'a number with too many digits',
      '- key: a\n  x: 0.12345678901234567891',
      /line 2 of .* is not exact as a number/,
    ],
    ['a number that is none', '- {key: a, x: .inf}', /\.inf is not exact as a number/],
  ] as const) {
    it(`apply: refuses ${what}`, async () => {
      const { code, stdout, stderr } = await run('apply', file(content));
      assert.deepEqual([code, stdout], [2, '']);
      assert.match(stderr, message);
    });
  }

  it('apply: refuses a file that is not there', async () => {
    const { code, stderr } = await run('apply', join(folder, 'none.yaml'));
    assert.equal(code, 2);
    assert.match(stderr, /none\.yaml cannot be read/);
  });

  it('apply: a minimum that is new, another or gone is a difference', async () => {
    const text = (minimum: string) =>
      file(`- {key: least, name: Least, ${minimum}charges: [
      {event_name: call, pricing_model: per_unit, unit_amount: 1}]}\n`);
    assert.equal((await json('apply', text(''), '--yes')).made[0].minimum_amount, null);
    assert.match(
      await printed('apply', text('minimum_amount: 100, '), '--yes'),
      /^ +minimum_amount +- +100\.00$/m,
    );
    assert.equal(await printed('apply', text('minimum_amount: 100, '), '--dry-run'), 'least: as version 2\n');
    assert.match(await printed('apply', text('minimum_amount: 120.5, '), '--yes'), / +100\.00 +120\.50$/m);
    assert.match(await printed('apply', text(''), '--dry-run'), / +120\.50 +-$/m);
    const { code, stderr } = await run('apply', text('minimum_amount: 0, '), '--yes');
    assert.equal(code, 1);
    assert.match(stderr, /^error: least: minimum_amount must be at least 0\.0001/);
  });

  it('customize: shows what differs from the base, needs --yes without a terminal, and makes the plan', async () => {
    await api.post('/v1/customers', { external_id: 'cli-acme' });
    const charges = [
      { event_name: 'fee', pricing_model: 'flat', flat_amount: '49' },
      { event_name: 'a', pricing_model: 'per_unit', unit_amount: '0.1' },
    ];
    const { body: base } = await api.post('/v1/pricing-plans', { key: 'cli-base', name: 'Base', charges });
    const customPlans = async (): Promise<Json[]> =>
      (await api.request('/v1/pricing-plans?customer_id=cli-acme')).body.data;
    const overrides = file('- {charge: 1, unit_amount: 0.08}', 'overrides.yaml');
    const customize = ['customize', 'cli-base', 'cli-acme', overrides, '--name', 'For Acme'];
    const shown = await printed(...customize, '--dry-run');
    assert.match(shown, new RegExp(`^instead of Base \\(${base.id}\\)\\n +FIELD +BASE +CUSTOM\\n`));
    assert.match(shown, /^ +name +Base +For Acme\n +charges\[1\]\.unit_amount +0\.1 +0\.08$/m);
    const { changes } = await json(...customize, '--dry-run');
    assert.equal(changes.length, 2);
    const unasked = await run(...customize);
    assert.equal(unasked.code, 2);
    assert.match(unasked.stderr, /nothing was changed: without a terminal, --yes is required/);
    assert.deepEqual(await customPlans(), []);

    const text = await printed(...customize, '--yes');
    const [made] = await customPlans();
    assert.deepEqual([made!.based_on, made!.overrides], [base.id, [{ charge: 1, unit_amount: '0.08' }]]);
    assert.match(text, new RegExp(`\\nid +${made!.id}\\nname +For Acme\\nbased_on +${base.id}\\n`));
    const terms = file('{"overrides": [], "metadata": {"a": 1}}', 'terms.json');
    const { id, metadata, name } = await json('customize', base.id, 'cli-acme', terms, '--yes');
    assert.deepEqual([metadata, name], [{ a: 1 }, 'Base']);
    assert.match(await printed('list', '--customer', 'cli-acme'), new RegExp(`${id}[^]*${made!.id}`));
    assert.doesNotMatch(await printed('export'), /For Acme/);
    const refused = await run(
      'customize',
      'cli-base',
      'cli-acme',
      file('- {charge: 2}', 'beyond.yaml'),
      '--yes',
    );
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /overrides\[0\]\.charge must be at most 1/);
    const no_list = await run('customize', 'cli-base', 'cli-acme', file('5', 'five.yaml'), '--yes');
    assert.deepEqual([no_list.code, no_list.stdout], [2, '']);
    assert.match(no_list.stderr, /must be a list of overrides, or an object with them/);
  });

  it('export: the newest versions of keys that are not archived; to apply them changes nothing', async () => {
    const post = async (body: object): Promise<Json> => (await api.post('/v1/pricing-plans', body)).body;
    await post(ALL_MODELS);
    const charges = [{ event_name: 'a', pricing_model: 'credit' }];
    await post({ name: 'Without a key', charges });
    await post({ key: 'withdrawn', name: 'Old', charges });
    const { id } = await post({ key: 'withdrawn', name: 'New', charges });
    assert.match(await printed('archive', id), /^archived_at +20/m);
    const out = join(folder, 'exported.yaml');
    assert.equal(await printed('export', '--out', out), '');
    const texts = { yaml: readFileSync(out, 'utf8'), json: await printed('export', '--json') };
    for (const [form, text] of Object.entries(texts)) {
      assert.doesNotMatch(text, /withdrawn|Without a key/);
      const path = file(text, `exported.${form}`);
      const { previews } = await json('apply', path, '--dry-run');
      assert.ok(previews.length >= 2);
      for (const { current, changes } of previews)
        assert.deepEqual([current.object, changes], ['pricing_plan', []]);
    }
    const fields = JSON.parse(texts.json).find(({ key }: Json) => key === 'all-models');
    assert.equal(fields.minimum_amount, '120.50');
    assert.deepEqual(Object.keys(fields.charges[1]), [
      ...['event_name', 'unit_name', 'filters', 'pricing_model', 'unit_amount'],
    ]);
  });

  it('export: is YAML, or JSON where a text has control characters', async () => {
    const text = await printed('export');
    assert.match(text, /^- key: all-models$/m);
    assert.match(text, /^ {4}date: 2026-01-01$/m);
    const charges = [{ event_name: 'a', pricing_model: 'credit' }];
    const metadata = { control: '\u0085\u001b' };
    await api.post('/v1/pricing-plans', { key: 'control', name: 'Control', charges, metadata });
    const escaped = await printed('export');
    assert.doesNotMatch(escaped, /[^\P{Cc}\n]/u);
    const { previews } = await json('apply', file(escaped, 'control.yaml'), '--dry-run');
    assert.ok(previews.every(({ changes }: Json) => changes.length === 0));
  });

  it('list and archive: versions of a key, archived ones, and what the API answers', async () => {
    const list = (await api.request('/v1/pricing-plans?key=pro')).body;
    assert.deepEqual(await json('list', '--plan-key', 'pro'), list);
    const { id } = list.data[1];
    assert.equal((await json('archive', id)).id, id);
    assert.match(
      await printed('list', '--archived'),
      new RegExp(`^${id} +pro +1 +Pro +USD +1 month +20`, 'm'),
    );
    const twice = await run('archive', id);
    assert.deepEqual([twice.code, twice.stdout], [1, '']);
    assert.match(twice.stderr, /is already archived\n +409/);
    assert.match(await printed('archive', id, '--take-back'), /^archived_at +-$/m);
  });
});
