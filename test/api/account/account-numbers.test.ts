import assert from 'node:assert/strict';
import { assertRefused } from '../../support/ledger/refused.ts';
import { startApi, type Json, type TestApi } from '../../support/servers/api.ts';
import type { Reason } from '../../../src/domain/money/errors.ts';

const PATH = '/v1/account';
const DATEV = { consultant: 29098, client: 55003, fiscal_year_start: '01-01', account_length: 4 };
const NO_TAX = { tax_treatment: null, tax_rate: null, tax_key: null };
const CASH = { account: 'cash', number: '1200' };

/** contract.md 9. */
describe('the numbers of the bookkeeper', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi();
  });
  after(() => api.close());

  const patch = (body: Json, key = api.test_key) => api.request(PATH, { method: 'PATCH', body, key });

  it('are none at first, and are replaced as a whole, in one environment', async () => {
    const { body } = await api.request(PATH);
    assert.deepEqual([body.account_numbers, body.datev], [[], null]);
    const first = await patch({
      account_numbers: [
        { account: 'revenue', tax_treatment: 'standard', tax_rate: 19.0, number: '08400', tax_key: '0003' },
        { account: 'tax_payable', tax_rate: '7.50', number: '1776' },
        { account: 'revenue', tax_treatment: null, number: '8000' },
        CASH,
      ],
    });
    assert.deepEqual(first.body.account_numbers, [
      { account: 'revenue', tax_treatment: 'standard', tax_rate: '19', number: '08400', tax_key: '0003' },
      { ...NO_TAX, account: 'tax_payable', tax_rate: '7.5', number: '1776' },
      { ...NO_TAX, account: 'revenue', number: '8000' },
      { ...NO_TAX, ...CASH },
    ]);
    assert.deepEqual((await api.request(PATH)).body, first.body);
    assert.deepEqual((await api.request(PATH, { key: api.live_key })).body.account_numbers, []);
    const replaced = await patch({ account_numbers: [CASH] });
    assert.deepEqual(replaced.body.account_numbers, [{ ...NO_TAX, ...CASH }]);
    const untouched = await patch({ name: 'Ocean GmbH' });
    assert.deepEqual(untouched.body.account_numbers, [{ ...NO_TAX, ...CASH }]);
    assert.deepEqual((await patch({ account_numbers: [] })).body.account_numbers, []);
  });

  it('have a head for DATEV, whose members merge, and which null removes', async () => {
    assert.deepEqual((await patch({ datev: DATEV })).body.datev, DATEV);
    assert.deepEqual((await patch({ datev: { client: 1 } })).body.datev, { ...DATEV, client: 1 });
    assert.deepEqual((await patch({ name: 'Ocean AG' })).body.datev, { ...DATEV, client: 1 });
    assert.deepEqual((await patch({ datev: null })).body.datev, null);
    const LIMITS = [
      { ...DATEV, consultant: 1001, client: 1, account_length: 4, fiscal_year_start: '12-01' },
      { ...DATEV, consultant: 9_999_999, client: 99_999, account_length: 8, fiscal_year_start: '07-01' },
    ];
    for (const datev of LIMITS) assert.deepEqual((await patch({ datev })).body.datev, datev);
    await patch({ datev: null });
  });

  it('are at most 100', async () => {
    const numbers = Array.from({ length: 101 }, (_, rate) => ({
      ...{ account: 'revenue', tax_rate: `${rate}`, number: `${8000 + rate}` },
    }));
    assertRefused(await patch({ account_numbers: numbers }), {
      ...{ code: 'invalid_request', param: 'account_numbers', reason: 'too_many' },
    });
    const { status, body } = await patch({ account_numbers: numbers.slice(1) });
    assert.deepEqual([status, body.account_numbers.length], [200, 100]);
    await patch({ account_numbers: [] });
  });

  it('are in the audit log, and in the feed of changes', async () => {
    await patch({ account_numbers: [CASH], datev: DATEV }, api.live_key);
    const { data } = (await api.request('/v1/audit-log?limit=1', { key: api.live_key })).body;
    const [{ before: was, after: is }] = data;
    assert.deepEqual(
      [was, is],
      [
        { account_numbers: [], datev: null },
        { account_numbers: [{ ...NO_TAX, ...CASH }], datev: DATEV },
      ],
    );
    const { rows } = await api.pool.query(
      `select count(*)::integer as logged from row_changes where table_name = 'environments' and environment_id = 2`,
    );
    assert.ok(rows[0].logged > 0);
  });

  const revenue = { account: 'revenue', number: '8400' };
  const REFUSED: [body: Json, param: string, reason: Reason][] = [
    [{ account_numbers: [{ account: 'bank', number: '1' }] }, 'account_numbers[0].account', 'not_allowed'],
    [{ account_numbers: [{ account: 'cash' }] }, 'account_numbers[0].number', 'missing'],
    [{ account_numbers: [{ account: 'cash', number: '' }] }, 'account_numbers[0].number', 'missing'],
    [{ account_numbers: [{ account: 'cash', number: '12a' }] }, 'account_numbers[0].number', 'malformed'],
    [{ account_numbers: [{ account: 'cash', number: 1200 }] }, 'account_numbers[0].number', 'wrong_type'],
    [
      { account_numbers: [{ account: 'cash', number: '1234567890' }] },
      'account_numbers[0].number',
      'too_long',
    ],
    [{ account_numbers: [{ ...revenue, tax_key: '12345' }] }, 'account_numbers[0].tax_key', 'too_long'],
    [{ account_numbers: [{ ...revenue, tax_key: 'x' }] }, 'account_numbers[0].tax_key', 'malformed'],
    [{ account_numbers: [{ ...revenue, tax_rate: '101' }] }, 'account_numbers[0].tax_rate', 'out_of_range'],
    [
      { account_numbers: [{ ...revenue, tax_treatment: 'none' }] },
      'account_numbers[0].tax_treatment',
      'not_allowed',
    ],
    [{ account_numbers: [{ ...revenue, name: 'x' }] }, 'account_numbers[0].name', 'unknown_member'],
    [
      { account_numbers: [revenue, CASH, { ...CASH, tax_rate: '19' }] },
      'account_numbers[2].tax_rate',
      'not_allowed',
    ],
    [
      { account_numbers: [{ ...CASH, tax_treatment: 'exempt' }] },
      'account_numbers[0].tax_treatment',
      'not_allowed',
    ],
    [
      { account_numbers: [{ ...revenue, account: 'tax_payable', tax_key: '3' }] },
      'account_numbers[0].tax_key',
      'not_allowed',
    ],
    [{ account_numbers: [CASH, { ...CASH, number: '1210' }] }, 'account_numbers[1]', 'not_allowed'],
    [
      {
        account_numbers: [
          { ...revenue, tax_rate: '19' },
          { ...revenue, tax_rate: '19.0', tax_key: '3' },
        ],
      },
      'account_numbers[1]',
      'not_allowed',
    ],
    [{ account_numbers: {} }, 'account_numbers', 'wrong_type'],
    [{ datev: { consultant: 1001 } }, 'datev.client', 'missing'],
    [{ datev: {} }, 'datev.consultant', 'missing'],
    [{ datev: { ...DATEV, consultant: 1000 } }, 'datev.consultant', 'out_of_range'],
    [{ datev: { ...DATEV, consultant: 10_000_000 } }, 'datev.consultant', 'out_of_range'],
    [{ datev: { ...DATEV, client: 0 } }, 'datev.client', 'out_of_range'],
    [{ datev: { ...DATEV, client: 100_000 } }, 'datev.client', 'out_of_range'],
    [{ datev: { ...DATEV, account_length: 3 } }, 'datev.account_length', 'out_of_range'],
    [{ datev: { ...DATEV, account_length: 9 } }, 'datev.account_length', 'out_of_range'],
    [{ datev: { ...DATEV, client: '1' } }, 'datev.client', 'wrong_type'],
    [{ datev: { ...DATEV, fiscal_year_start: '1 May' } }, 'datev.fiscal_year_start', 'malformed'],
    [{ datev: { ...DATEV, fiscal_year_start: '13-01' } }, 'datev.fiscal_year_start', 'out_of_range'],
    [{ datev: { ...DATEV, fiscal_year_start: '04-06' } }, 'datev.fiscal_year_start', 'out_of_range'],
    [{ datev: { ...DATEV, name: 'x' } }, 'datev.name', 'unknown_member'],
    [{ datev: 'x' }, 'datev', 'wrong_type'],
  ];
  for (const [body, param, reason] of REFUSED)
    it(`400 ${param}: ${JSON.stringify(body).slice(0, 90)}`, async () => {
      const before = (await api.request(PATH)).body;
      assertRefused(await patch(body), { code: 'invalid_request', param, reason });
      assert.deepEqual((await api.request(PATH)).body, before);
    });
});
