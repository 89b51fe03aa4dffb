import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openCertificate } from '../../../api/http/tls.ts';
import { plainHttpFault } from '../../../api/http/plain-http.ts';
import { readConfig } from '../../../src/settings/config.ts';
import { messageOf } from '../../../src/process/message-of.ts';
import { aCertificate } from '../../support/servers/certificate.ts';
import { useCommand } from '../../support/servers/debian.ts';
import { aFolder } from '../../support/servers/folder.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** Addresses at which nothing listens: a start that is not refused fails in another way. */
const NEEDED = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing', TIDEMARK_SECRET: 'secret of a test' };

describe('an API whose settings do not fit', function () {
  useCommand('openssl', 'openssl');
  let folder = '';
  before(async () => {
    folder = await aFolder();
    const [pair, other] = [await aCertificate(), await aCertificate()];
    const files = { 'a.crt': pair.cert, 'a.key': pair.key, 'b.key': other.key, nonsense: 'nonsense' };
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  });

  const tls = (cert: string, key: string) => () => ({
    TLS_CERT_FILE: join(folder, cert),
    TLS_KEY_FILE: join(folder, key),
  });
  const PUBLIC = { NODE_ENV: 'production', HOST: '0.0.0.0' };

  /** The reason why api/main.ts refuses to start, by the functions that it calls; null if it starts. */
  async function faultOf(settings: Record<string, string>): Promise<string | null> {
    try {
      const config = readConfig(settings);
      if (config.tls_files !== null) await openCertificate(config.tls_files);
      return plainHttpFault(config);
    } catch (error) {
      return messageOf(error);
    }
  }

  const REFUSED: [what: string, settings: () => Record<string, string>, sentence: RegExp][] = [
    [
      'a certificate without a key',
      () => ({ TLS_CERT_FILE: '/a' }),
      /^TLS_CERT_FILE is set without TLS_KEY_FILE;/,
    ],
    [
      'a key without a certificate',
      () => ({ TLS_KEY_FILE: '/a' }),
      /^TLS_KEY_FILE is set without TLS_CERT_FILE;/,
    ],
    [
      'a certificate that is not there',
      tls('none', 'a.key'),
      /^TLS_CERT_FILE cannot be read: ENOENT.*none'$/,
    ],
    ['a key that is not there', tls('a.crt', 'none'), /^TLS_KEY_FILE cannot be read: ENOENT.*none'$/],
    [
      'a certificate that is none',
      tls('nonsense', 'a.key'),
      /^TLS_CERT_FILE: .* is not a certificate in PEM form$/,
    ],
    ['a key that is none', tls('a.crt', 'nonsense'), /^TLS_KEY_FILE: .* is not a private key in PEM form/],
    [
      'the key of another certificate',
      tls('a.crt', 'b.key'),
      /^TLS_KEY_FILE: .* is not the key of the first cert/,
    ],
    [
      'plain http for everybody',
      () => PUBLIC,
      /^plain http at HOST=0\.0\.0\.0 is refused in production: set TLS_/,
    ],
    [
      'plain http at an address',
      () => ({ ...PUBLIC, HOST: '10.1.2.3' }),
      /^plain http at HOST=10\.1\.2\.3 is refused/,
    ],
  ];
  for (const [what, settings, sentence] of REFUSED)
    it(`refuses ${what}`, async () => assert.match((await faultOf(settings()))!, sentence));

  const TAKEN: [what: string, settings: () => Record<string, string>][] = [
    ['plain http at 0.0.0.0 where it is allowed', () => ({ ...PUBLIC, ALLOW_PLAIN_HTTP: '1' })],
    ['plain http at 0.0.0.0 behind a proxy', () => ({ ...PUBLIC, TRUSTED_PROXIES: '10.0.0.0/8' })],
    ['https at 0.0.0.0', () => ({ ...PUBLIC, ...tls('a.crt', 'a.key')() })],
    ...['127.0.0.1', '127.1.2.3', '::1', 'localhost'].map((HOST): [string, () => Record<string, string>] => [
      `plain http at ${HOST}`,
      () => ({ ...PUBLIC, HOST }),
    ]),
    ['plain http at 0.0.0.0 outside production', () => ({ HOST: '0.0.0.0' })],
  ];
  for (const [what, settings] of TAKEN)
    it(`takes ${what}`, async () => assert.equal(await faultOf(settings()), null));

  const AT_START: [settings: () => Record<string, string>, sentence: RegExp][] = [
    [tls('a.crt', 'b.key'), /^TLS_KEY_FILE: .* is not the key of the first certificate/],
    [() => PUBLIC, /^plain http at HOST=0\.0\.0\.0 is refused/],
  ];
  for (const [settings, sentence] of AT_START)
    it(`ends with 2 and one sentence: ${sentence}`, () => {
      const { status, stderr, stdout } = spawnSync(process.execPath, ['api/main.ts'], {
        cwd: ROOT,
        encoding: 'utf8',
        env: { PATH: '/usr/bin:/bin', ...NEEDED, ...settings() },
      });
      assert.match(stderr, sentence);
      assert.deepEqual([stderr.trimEnd().split('\n').length, stdout, status], [1, '', 2]);
    });
});
