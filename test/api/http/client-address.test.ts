import assert from 'node:assert/strict';
import { BlockList } from 'node:net';
import { newApiKey } from '../../../src/keys/api-key.ts';
import { clientAddressOf } from '../../../api/access/client-address.ts';
import { networksOf } from '../../../src/settings/networks.ts';
import { startApi, type TestApi } from '../../support/servers/api.ts';

const PROXIES = networksOf('10.0.0.0/8, 192.168.1.1,fd00::/8, ::1');

describe('the address of a client', () => {
  const TABLE: [what: string, socket: string, forwarded: string | undefined, expected: string][] = [
    [
      'of a socket that is not trusted is the address of the socket',
      '203.0.113.5',
      '198.51.100.7',
      '203.0.113.5',
    ],
    ['of a proxy without a header is the address of the proxy', '10.0.0.1', undefined, '10.0.0.1'],
    ['is the address that the proxy adds', '10.0.0.1', '198.51.100.7', '198.51.100.7'],
    [
      'is not the address that the client writes before it',
      '10.0.0.1',
      '1.1.1.1, 198.51.100.7',
      '198.51.100.7',
    ],
    [
      'is found behind several proxies',
      '10.0.0.1',
      '1.1.1.1, 198.51.100.7, 10.2.0.1,192.168.1.1',
      '198.51.100.7',
    ],
    ['inside our own network is the farthest address', '10.0.0.1', '10.0.0.9, 10.0.0.2', '10.0.0.9'],
    ['may be IPv6', '::1', '2001:db8::7', '2001:db8::7'],
    ['is one address in every spelling', '::1', '2001:0DB8:0:0::0007', '2001:db8::7'],
    ['has no port', '10.0.0.1', '198.51.100.7:4711', '198.51.100.7'],
    ['has no port and no brackets', '10.0.0.1', '[2001:db8::7]:4711', '2001:db8::7'],
    ['has no brackets', '10.0.0.1', '[2001:db8::7]', '2001:db8::7'],
    ['has no zone', '10.0.0.1', 'fe80::7%eth0', 'fe80::7'],
    ['has no spaces', '10.0.0.1', ' \t198.51.100.7  ', '198.51.100.7'],
    ['of IPv4 on an IPv6 socket is that of IPv4', '::ffff:10.0.0.1', '::ffff:198.51.100.7', '198.51.100.7'],
    [
      'that the proxy does not know is the address of the proxy',
      '10.0.0.1',
      '198.51.100.7, unknown',
      '10.0.0.1',
    ],
    [
      'that is garbage is the address of the proxy that sent it',
      '10.0.0.1',
      '10.0.0.2, 1.2.3.4.5, 10.0.0.3',
      '10.0.0.3',
    ],
    ['with an empty header is the address of the proxy', '10.0.0.1', '', '10.0.0.1'],
    ['with an empty last entry is the address of the proxy', '10.0.0.1', '198.51.100.7,', '10.0.0.1'],
    ['is no number with leading zeros', '10.0.0.1', '198.051.100.7', '10.0.0.1'],
    ['is no path', '10.0.0.1', '198.51.100.7/8', '10.0.0.1'],
    ['of a closed socket is empty', '', '198.51.100.7', ''],
  ];
  for (const [what, socket, forwarded, expected] of TABLE)
    it(what, () => assert.equal(clientAddressOf({ socket, forwarded }, PROXIES), expected));

  it('is the address of the socket if no proxy is trusted', () =>
    assert.equal(clientAddressOf({ socket: '10.0.0.1', forwarded: '1.1.1.1' }, new BlockList()), '10.0.0.1'));
});

describe('behind a trusted proxy', () => {
  const tryBadKeys = async (api: TestApi, forwarded: string) => {
    const headers = { 'X-Forwarded-For': forwarded };
    const tries = Array.from({ length: 101 }, () =>
      api.request('/v1/customers', { key: newApiKey(false), headers }),
    );
    return new Set((await Promise.all(tries)).map(({ status }) => status));
  };
  const anonymous = async (api: TestApi, forwarded: string) =>
    (await api.request('/v1/customers', { key: null, headers: { 'X-Forwarded-For': forwarded } })).status;

  it('a client that tries bad keys limits only itself, whatever its headers say', async () => {
    const api = await startApi({ processes: 1, settings: { TRUSTED_PROXIES: '127.0.0.0/8' } });
    assert.ok((await tryBadKeys(api, '9.9.9.9, 198.51.100.7')).has(429));
    assert.equal(await anonymous(api, '8.8.8.8, 198.51.100.7'), 429);
    assert.equal(await anonymous(api, '198.51.100.7, 203.0.113.5'), 401);
    await api.close();
  });

  it('a client without the proxy cannot choose its address', async () => {
    const api = await startApi({ processes: 1, settings: { TRUSTED_PROXIES: '10.0.0.0/8' } });
    assert.ok((await tryBadKeys(api, '198.51.100.7')).has(429));
    assert.equal(await anonymous(api, '203.0.113.5'), 429);
    await api.close();
  });
});
