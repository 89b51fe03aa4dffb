import assert from 'node:assert/strict';
import type { Reason } from '../../../src/domain/money/errors.ts';
import { startApi, type Json, type TestApi } from '../../support/servers/api.ts';
import { assertRefused } from '../../support/ledger/refused.ts';

const ALL = ['invoice', 'credit_note', 'receipt', 'payment_failed'];
const DEFAULTS = {
  language: 'en',
  email_kinds: [],
  email_reply_to: null,
  email_copy_to: null,
  email_attach: ['pdf'],
  email_hours: { from: 8, until: 18 },
  email_test_recipients: [],
  reminder_days: [],
};

/** The settings of emails alone. */
function emailsOf(account: Json): Json {
  return Object.fromEntries(Object.keys(DEFAULTS).map((name) => [name, account[name]]));
}

describe('settings of emails', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi();
  });
  after(() => api.close());

  const read = async (path: string, key = api.test_key): Promise<Json> =>
    (await api.request(path, { key })).body;
  const patch = (path: string, body: Json, key = api.test_key) =>
    api.request(path, { method: 'PATCH', body, key });

  it('of a new account send everything in test data and nothing in live data', async () => {
    assert.deepEqual(emailsOf(await read('/v1/account')), { ...DEFAULTS, email_kinds: ALL });
    assert.deepEqual(emailsOf(await read('/v1/account', api.live_key)), DEFAULTS);
  });

  it('are stored for one environment alone, and null removes an address', async () => {
    const settings = {
      language: 'nl',
      email_kinds: ['receipt'],
      email_reply_to: 'billing@ocean.example',
      email_copy_to: 'archive@ocean.example',
      email_attach: ['xml', 'pdf'],
      email_hours: { from: 0, until: 24 },
      email_test_recipients: ['ada@acme.com', '*@acme.com'],
      reminder_days: [-30, -3, 0, 1, 2, 3, 4, 5, 6, 90],
    };
    const changed = await patch('/v1/account', settings);
    assert.equal(changed.status, 200);
    assert.deepEqual(emailsOf(changed.body), settings);
    assert.deepEqual(emailsOf(await read('/v1/account')), settings);
    assert.deepEqual(emailsOf(await read('/v1/account', api.live_key)), DEFAULTS);
    const cleared = {
      email_reply_to: null,
      email_copy_to: null,
      email_kinds: [],
      email_attach: [],
      reminder_days: [],
    };
    assert.deepEqual(emailsOf((await patch('/v1/account', cleared)).body), { ...settings, ...cleared });
  });

  it('keep an hour that a patch leaves out', async () => {
    assert.equal((await patch('/v1/account', { email_hours: { from: 8, until: 18 } })).status, 200);
    const { body } = await patch('/v1/account', { email_hours: { until: 20 } });
    assert.deepEqual(body.email_hours, { from: 8, until: 20 });
  });

  const many = (count: number) => Array.from({ length: count }, (_, place) => `a${place}@acme.com`);
  const REFUSED: [body: Json, param: string, reason: Reason][] = [
    [{ language: 'pt' }, 'language', 'not_allowed'],
    [{ email_kinds: ['reminder'] }, 'email_kinds[0]', 'not_allowed'],
    [{ email_kinds: ['invoice', 'invoice'] }, 'email_kinds[1]', 'not_allowed'],
    [{ email_kinds: 'invoice' }, 'email_kinds', 'wrong_type'],
    [{ email_reply_to: 'acme.com' }, 'email_reply_to', 'malformed'],
    [{ email_copy_to: 'ada@acme.com\r\nBcc: eva@acme.com' }, 'email_copy_to', 'malformed'],
    [{ email_copy_to: `${'a'.repeat(255)}@acme.com` }, 'email_copy_to', 'too_long'],
    [{ email_attach: ['doc'] }, 'email_attach[0]', 'not_allowed'],
    [{ email_attach: ['pdf', 'pdf'] }, 'email_attach[1]', 'not_allowed'],
    [{ email_hours: { from: -1 } }, 'email_hours.from', 'out_of_range'],
    [{ email_hours: { until: 25 } }, 'email_hours.until', 'out_of_range'],
    [{ email_hours: { from: 8.5 } }, 'email_hours.from', 'wrong_type'],
    [{ email_hours: { from: 18, until: 18 } }, 'email_hours.until', 'out_of_order'],
    [{ email_hours: { from: 20 } }, 'email_hours.until', 'out_of_order'],
    [{ email_hours: { to: 20 } }, 'email_hours.to', 'unknown_member'],
    [{ reminder_days: [1, 1] }, 'reminder_days[1]', 'out_of_order'],
    [{ reminder_days: [-3, 7, 1, 0] }, 'reminder_days[2]', 'out_of_order'],
    [{ reminder_days: [-31] }, 'reminder_days[0]', 'out_of_range'],
    [{ reminder_days: [1, 91] }, 'reminder_days[1]', 'out_of_range'],
    [{ reminder_days: [1.5] }, 'reminder_days[0]', 'wrong_type'],
    [{ reminder_days: ['1'] }, 'reminder_days[0]', 'wrong_type'],
    [{ reminder_days: Array.from({ length: 11 }, (_, day) => day) }, 'reminder_days', 'too_many'],
    [{ email_test_recipients: many(21) }, 'email_test_recipients', 'too_many'],
    [{ email_test_recipients: ['*'] }, 'email_test_recipients[0]', 'malformed'],
    [{ email_test_recipients: ['a@acme.com', 'A@ACME.com'] }, 'email_test_recipients[1]', 'not_allowed'],
  ];
  for (const [body, param, reason] of REFUSED)
    it(`${JSON.stringify(body).slice(0, 80)} is refused, and nothing is stored`, async () => {
      const before = await read('/v1/account');
      assertRefused(await patch('/v1/account', { name: 'Renamed', ...body }), {
        code: 'invalid_request',
        param,
        reason,
      });
      assert.deepEqual(await read('/v1/account'), before);
    });
});

describe('emails of a customer', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi();
    await api.post('/v1/customers', { external_id: 'known', email: 'ada@acme.com' });
  });
  after(() => api.close());

  const patch = (body: Json) => api.request('/v1/customers/known', { method: 'PATCH', body });
  const ofEmails = ({ billing_emails, email_muted, language, reminder_days }: Json) => ({
    billing_emails,
    email_muted,
    language,
    reminder_days,
  });

  it('have defaults, are stored, equal when they are sent again, patched and kept', async () => {
    const body = {
      external_id: 'full',
      billing_emails: ['ap@acme.com', 'cfo@acme.com'],
      email_muted: true,
      language: 'de',
      reminder_days: [-3, 7],
    };
    const created = await api.post('/v1/customers', body);
    assert.equal(created.status, 201);
    const { external_id: _, ...sent } = body;
    assert.deepEqual(ofEmails(created.body), sent);
    assert.equal((await api.post('/v1/customers', body)).status, 200);
    const other = await api.post('/v1/customers', { ...body, billing_emails: ['ap@acme.com'] });
    assertRefused(other, { code: 'conflict', param: 'external_id', reason: 'external_id_taken' });
    const known = (await api.request('/v1/customers/known')).body;
    const blank = { billing_emails: [], email_muted: false, language: null, reminder_days: null };
    assert.deepEqual(ofEmails(known), blank);
    await patch(sent);
    const renamed = await patch({ name: 'Ada' });
    assert.deepEqual(ofEmails(renamed.body), sent);
    const none = await patch({ reminder_days: [] });
    assert.deepEqual(none.body.reminder_days, [], 'no reminders, whatever the account says');
    const nulls = { billing_emails: null, email_muted: null, language: null, reminder_days: null };
    assert.deepEqual(ofEmails((await patch(nulls)).body), blank);
  });

  const eleven = Array.from({ length: 11 }, (_, place) => `a${place}@acme.com`);
  const REFUSED: [body: Json, param: string, reason: Reason][] = [
    [{ billing_emails: eleven }, 'billing_emails', 'too_many'],
    [{ billing_emails: ['ada@acme.com', 'acme.com'] }, 'billing_emails[1]', 'malformed'],
    [{ billing_emails: ['ada@acme.com', 'ada@acme.com'] }, 'billing_emails[1]', 'not_allowed'],
    [
      { billing_emails: ['ada@acme.com', 'eva@acme.com', 'Ada@Acme.com'] },
      'billing_emails[2]',
      'not_allowed',
    ],
    [{ billing_emails: 'ada@acme.com' }, 'billing_emails', 'wrong_type'],
    [{ billing_emails: [null] }, 'billing_emails[0]', 'wrong_type'],
    [{ email_muted: 'yes' }, 'email_muted', 'wrong_type'],
    [{ reminder_days: [7, 7] }, 'reminder_days[1]', 'out_of_order'],
    [{ reminder_days: [91] }, 'reminder_days[0]', 'out_of_range'],
    [{ reminder_days: '7' }, 'reminder_days', 'wrong_type'],
    [{ language: 'EN' }, 'language', 'not_allowed'],
  ];
  for (const [body, param, reason] of REFUSED)
    it(`${JSON.stringify(body).slice(0, 80)} is refused, and nothing is stored`, async () => {
      const stored = (await api.request('/v1/customers/known')).body;
      const refusal = { code: 'invalid_request', param, reason } as const;
      assertRefused(await patch({ name: 'Renamed', ...body }), refusal);
      assert.deepEqual((await api.request('/v1/customers/known')).body, stored);
      assertRefused(await api.post('/v1/customers', { external_id: 'refused', ...body }), refusal);
      assert.equal((await api.request('/v1/customers/refused')).status, 404);
    });

  it('are blank after an erasure', async () => {
    await patch({ billing_emails: ['ap@acme.com'], language: 'fr', email_muted: true, reminder_days: [1] });
    const owner = await api.post('/v1/customers/known/redact', {});
    assert.deepEqual(ofEmails(owner.body), {
      billing_emails: [],
      email_muted: true,
      language: 'fr',
      reminder_days: [1],
    });
  });
});
