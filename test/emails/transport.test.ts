import assert from 'node:assert/strict';
import * as tls from 'node:tls';
import { createEmailTransport, type Message } from '../../src/emails/transport.ts';
import type { EmailSettings } from '../../src/settings/email-settings.ts';
import { aCertificate } from '../support/servers/certificate.ts';
import { aMailServer, type MailServer } from '../support/servers/mail-server.ts';

/** Authorities that this process trusts: functions that the types of the oldest Node that we support lack. */
const { getCACertificates, setDefaultCACertificates } = tls as typeof tls & {
  getCACertificates: (kind: 'default') => string[];
  setDefaultCACertificates: (certificates: string[]) => void;
};

/** Another address of this machine than those to which a login may go without TLS. */
const ELSEWHERE = '127.0.0.2';
const LOGIN = { user: 'billing', password: 'secret' };

const MESSAGE: Omit<Message, 'message_id'> = {
  to: ['ada@acme.com'],
  copy_to: null,
  reply_to: null,
  subject: 'Invoice',
  text: 'An invoice',
  html: '<p>An invoice</p>',
  attachments: [],
};

function transportTo({ port }: MailServer, settings: Partial<EmailSettings> = {}) {
  const from = { name: 'Acme', address: 'billing@acme.com' };
  const server = { host: '127.0.0.1', port, is_tls: false, login: null, from, rate: 1000 };
  return createEmailTransport({ ...server, ...settings });
}

async function send(server: MailServer, settings: Partial<EmailSettings>) {
  const transport = transportTo(server, settings);
  try {
    return await transport.send({ ...MESSAGE, message_id: '<invoice.inv_1@acme.com>' });
  } finally {
    transport.close();
  }
}

describe('the connection to the mail server', () => {
  it('is encrypted where the server offers it, with a certificate of an authority that Node trusts', async () => {
    const certificate = await aCertificate();
    const server = await aMailServer({ certificate, ...LOGIN });
    const refused = await send(server, { login: LOGIN });
    assert.ok('answers' in refused);
    assert.equal(refused.answers.message.code, null);
    assert.match(refused.answers.message.text, /self-signed certificate/);
    assert.deepEqual(server.mails, []);
    const trusted = getCACertificates('default');
    setDefaultCACertificates([...trusted, certificate.cert]);
    try {
      const taken = await send(server, { login: LOGIN });
      assert.ok('answers' in taken);
      assert.equal(taken.answers.message.code, 250);
      assert.deepEqual(
        server.mails.map(({ secure, authenticated }) => [secure, authenticated]),
        [[true, true]],
      );
    } finally {
      setDefaultCACertificates(trusted);
    }
  });

  it('sends no password to another machine that offers no TLS', async () => {
    const server = await aMailServer({ host: '0.0.0.0', ...LOGIN });
    const answered = await send(server, { host: ELSEWHERE, login: LOGIN });
    assert.ok('answers' in answered);
    assert.equal(answered.answers.message.code, null);
    assert.deepEqual([server.logins, server.mails], [[], []]);
    await send(server, { login: LOGIN });
    assert.deepEqual(server.logins, ['billing']);
  });

  it('takes EMAIL_RATE messages a second: of five, at a rate of two, the last one waits for two seconds', async () => {
    const server = await aMailServer();
    const transport = transportTo(server, { rate: 2 });
    const began_at = performance.now();
    const messages = [1, 2, 3, 4, 5].map((number) => ({
      ...MESSAGE,
      message_id: `<invoice.${number}@acme.com>`,
    }));
    await Promise.all(messages.map((message) => transport.send(message)));
    transport.close();
    assert.equal(server.mails.length, 5);
    // A wait is never shorter than it should be, however slow the machine is.
    assert.ok(performance.now() - began_at > 1900);
  });
});
