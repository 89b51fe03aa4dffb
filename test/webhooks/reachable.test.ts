import assert from 'node:assert/strict';
import { networksOf } from '../../src/settings/networks.ts';
import { faultOfTarget, isReachable, type Reach } from '../../src/webhooks/reachable.ts';
import { BlockList } from 'node:net';

const PRODUCTION: Reach = { allowed: new BlockList(), is_loopback_allowed: false };
const DEVELOPMENT: Reach = { allowed: new BlockList(), is_loopback_allowed: true };

describe('the addresses to which webhooks go', () => {
  for (const address of ['93.184.216.34', '8.8.8.8', '172.32.0.1', '2606:4700::1111', '2a00::1'])
    it(`${address} is public`, () => assert.ok(isReachable(address, PRODUCTION)));

  const closed = [
    ...['0.0.0.0', '10.1.2.3', '100.64.0.1', '127.0.0.1', '127.9.9.9', '168.63.129.16', '169.254.169.254'],
    ...[
      '172.16.0.1',
      '172.31.255.255',
      '192.0.0.8',
      '192.0.2.1',
      '192.168.1.1',
      '198.18.0.1',
      '198.51.100.7',
    ],
    ...['203.0.113.9', '224.0.0.1', '239.1.1.1', '240.0.0.1', '255.255.255.255'],
    ...[
      '::',
      '::1',
      '::ffff:127.0.0.1',
      '::ffff:7f00:1',
      '::127.0.0.1',
      '64:ff9b::7f00:1',
      '64:ff9b:1::1',
      '100::1',
    ],
    ...[
      '2001::1',
      '2001:db8::1',
      '2002:7f00:1::',
      '3fff::1',
      '4000::1',
      '5f00::1',
      'fc00::1',
      'fd00:ec2::254',
    ],
    ...['fe80::1', 'fec0::1', 'ff02::1', 'fe80::1%eth0', 'example.com', ''],
  ];
  for (const address of closed) it(`"${address}" is not`, () => assert.ok(!isReachable(address, PRODUCTION)));

  it('outside production, this machine is', () => {
    assert.deepEqual(
      ['127.0.0.1', '::1', '10.0.0.1', '::ffff:127.0.0.1'].map((address) =>
        isReachable(address, DEVELOPMENT),
      ),
      [true, true, false, true],
    );
  });

  it('WEBHOOK_ALLOWED_NETWORKS makes exceptions', () => {
    const reach = { ...PRODUCTION, allowed: networksOf('10.20.0.0/16,fd12::/16') };
    assert.deepEqual(
      ['10.20.3.4', '10.21.0.1', 'fd12::1', 'fd13::1'].map((address) => isReachable(address, reach)),
      [true, false, true, false],
    );
  });
});

describe('the address of an endpoint', () => {
  const NOT_PUBLIC = /^must not lead to .+, which is no public address$/;
  const refused: [url: string, fault: RegExp][] = [
    ['example.com', /^must be an address such as/],
    ['', /^must be an address such as/],
    ['https://', /^must be an address such as/],
    ['http://example.com/', /^must begin with https:\/\/$/],
    ['ftp://example.com/', /^must begin with https:\/\/$/],
    ['http://localhost:3000/', /^must begin with https:\/\/$/],
    ['https://user@example.com/', /^must not have a user name or a password$/],
    ['https://:secret@example.com/', /^must not have a user name or a password$/],
    ['https://example.com/#part', /^must not have a fragment$/],
    ['https://example.com/#', /^must not have a fragment$/],
    ...[
      ...[
        '127.0.0.1',
        '127.1',
        '2130706433',
        '0x7f.1',
        '0177.0.0.1',
        '0x7f000001',
        '①②⑦.0.0.1',
        '127.0.0.1.',
      ],
      ...[
        '[::1]',
        '[::ffff:127.0.0.1]',
        '[0:0:0:0:0:ffff:7f00:1]',
        '[fd00::1]',
        '169.254.169.254',
        '10.0.0.1',
      ],
    ].map((host): [string, RegExp] => [`https://${host}/`, NOT_PUBLIC]),
  ];
  for (const [url, fault] of refused)
    it(`${url} is refused`, () => assert.match(faultOfTarget(url, PRODUCTION) ?? 'taken', fault));

  const taken: [url: string, reach: Reach][] = [
    ['https://example.com/webhooks?for=tidemark', PRODUCTION],
    ['https://93.184.216.34:8443/', PRODUCTION],
    ['https://bücher.example/', PRODUCTION],
    ['http://localhost:3000/', DEVELOPMENT],
    ['http://127.0.0.1:3000/', DEVELOPMENT],
    ['http://[::1]:3000/', DEVELOPMENT],
    ['https://localhost/', DEVELOPMENT],
    ['https://10.0.0.5/', { ...PRODUCTION, allowed: networksOf('10.0.0.0/8') }],
  ];
  for (const [url, reach] of taken)
    it(`${url} is taken`, () => assert.equal(faultOfTarget(url, reach), null));

  it('http goes to this machine alone', () => {
    assert.equal(faultOfTarget('http://example.com/', DEVELOPMENT), 'must begin with https://');
    assert.equal(
      faultOfTarget('http://10.0.0.1/', { ...DEVELOPMENT, allowed: networksOf('10.0.0.0/8') }),
      'must begin with https://',
    );
  });
});
