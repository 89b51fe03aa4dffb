import assert from 'node:assert/strict';
import { emailSettingsOf } from '../../src/settings/email-settings.ts';

const NEEDED = { SMTP_URL: 'smtp://smtp.example.com', EMAIL_FROM: 'billing@acme.com' };
const WITH_LOGIN = { ...NEEDED, SMTP_URL: 'smtps://billing%40acme.com@[::1]', SMTP_PASSWORD: 'a:b/c' };

describe('the settings of emails', () => {
  it('are none, or a server with its port and a sender', () => {
    assert.equal(emailSettingsOf({}), null);
    assert.deepEqual(emailSettingsOf(NEEDED), {
      ...{ host: 'smtp.example.com', port: 587, is_tls: false, login: null, rate: 10 },
      from: { name: '', address: 'billing@acme.com' },
    });
    const { host, port, is_tls, login } = emailSettingsOf(WITH_LOGIN)!;
    assert.deepEqual([host, port, is_tls], ['::1', 465, true]);
    assert.deepEqual(login, { user: 'billing@acme.com', password: 'a:b/c' });
  });

  it('have a sender with or without a name', () => {
    const fromOf = (text: string) => emailSettingsOf({ ...NEEDED, EMAIL_FROM: text })!.from;
    const acme = { name: 'Acme, Inc.', address: 'billing@acme.com' };
    assert.deepEqual(fromOf('"Acme, Inc." <billing@acme.com>'), acme);
    assert.deepEqual(fromOf('Acme, Inc. <billing@acme.com>'), acme);
  });

  const WRONG: [settings: Record<string, string>, message: RegExp][] = [
    [{ SMTP_URL: NEEDED.SMTP_URL }, /^SMTP_URL is set without EMAIL_FROM/],
    [{ EMAIL_FROM: NEEDED.EMAIL_FROM }, /^EMAIL_FROM is set without SMTP_URL/],
    [{ ...NEEDED, NODE_ENV: 'production' }, /^SMTP_URL needs PUBLIC_URL/],
    [{ ...NEEDED, SMTP_URL: 'http://a' }, /^SMTP_URL must be an address/],
    [{ ...NEEDED, SMTP_URL: 'smtp://' }, /^SMTP_URL must be an address/],
    [{ ...NEEDED, SMTP_URL: 'smtp://a/b' }, /^SMTP_URL must be an address/],
    [{ ...NEEDED, SMTP_URL: 'smtp://a:secret@b' }, /^SMTP_URL has a password: move it to SMTP_PASSWORD$/],
    [{ ...NEEDED, SMTP_URL: 'smtp://a@b' }, /^SMTP_URL names a user; set SMTP_PASSWORD too/],
    [{ ...NEEDED, SMTP_PASSWORD: 'a' }, /^SMTP_PASSWORD is set, but SMTP_URL names no user/],
    [{ ...WITH_LOGIN, SMTP_URL: 'smtp://%ZZ@b' }, /^SMTP_URL has a user with a %/],
    [{ ...NEEDED, EMAIL_FROM: 'Acme' }, /^EMAIL_FROM must be an address/],
    [{ ...NEEDED, EMAIL_FROM: 'a@b\r\nBcc: c@d' }, /^EMAIL_FROM must be an address/],
    [{ ...NEEDED, EMAIL_FROM: 'a@b, c@d' }, /^EMAIL_FROM must be an address/],
    [{ ...NEEDED, EMAIL_RATE: '0' }, /^EMAIL_RATE must be a whole number from 1 to 1000/],
  ];
  for (const [settings, message] of WRONG)
    it(`${JSON.stringify(settings)} are refused`, () =>
      assert.throws(() => emailSettingsOf(settings), { message }));
});
