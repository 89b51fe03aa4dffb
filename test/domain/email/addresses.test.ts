import assert from 'node:assert/strict';
import {
  isAddress,
  isAddressPattern,
  patternMatches,
  recipientsOf,
  testRecipientsOf,
} from '../../../src/domain/email/addresses.ts';

describe('addresses of emails', () => {
  const LONG = `${'a'.repeat(64)}@${'b'.repeat(185)}.com`;
  const ADDRESSES = [
    'ada@acme.com',
    "o'hara+bills@mail.acme.co.uk",
    'ada@localhost',
    'jürgen@müller.de',
    LONG,
  ];
  const OTHERS = [
    ...['', 'ada', '@acme.com', 'ada@', 'ada@acme..com', 'ada@.com', 'ada@-acme.com', 'ada@acme.com.'],
    ...[
      'a da@acme.com',
      'ada@acme.com, eve@acme.com',
      'Ada <ada@acme.com>',
      'ada@acme.com\r\nBcc: eve@acme.com',
    ],
    ...[
      'a@b@acme.com',
      'ada;eve@acme.com',
      '"ada"@acme.com',
      `a${LONG}`,
      '*@',
      'ada@ac me.com',
      'ada@[10.0.0.1]',
    ],
  ];
  for (const text of ADDRESSES) it(`${text} is one`, () => assert.ok(isAddress(text)));
  for (const text of OTHERS)
    it(`${JSON.stringify(text)} is none`, () => assert.equal(isAddress(text), false));

  const MATCHES: [pattern: string, address: string, matches: boolean][] = [
    ['ada@acme.com', 'ada@acme.com', true],
    ['ada@acme.com', 'Ada@ACME.com', true],
    ['ada@acme.com', 'bada@acme.com', false],
    ['*@acme.com', 'x@acme.com', true],
    ['*@acme.com', 'x@other.com', false],
    ['*@acme.com', 'x@mail.acme.com', false],
    ['*@acme.com', 'x@notacme.com', false],
    ['a*@acme.com', 'ada@acme.com', false],
  ];
  for (const [pattern, address, matches] of MATCHES)
    it(`${pattern} ${matches ? 'has' : 'has not'} ${address}`, () =>
      assert.equal(patternMatches(pattern, address), matches));

  it('patterns are addresses and whole domains', () => {
    for (const pattern of ['*@acme.com', 'ada@acme.com']) assert.ok(isAddressPattern(pattern), pattern);
    for (const pattern of ['*', '*@', '*@*', '*@*.com', 'acme.com', '*@acme com'])
      assert.equal(isAddressPattern(pattern), false, pattern);
  });

  it('of a customer are those for bills, or else its own, or none', () => {
    const billing_emails = ['bills@acme.com', 'ada@acme.com'];
    assert.deepEqual(recipientsOf({ billing_emails, email: 'x@acme.com' }), billing_emails);
    assert.deepEqual(recipientsOf({ billing_emails: [], email: 'x@acme.com' }), ['x@acme.com']);
    assert.deepEqual(recipientsOf({ billing_emails: [], email: null }), []);
    assert.deepEqual(recipientsOf({ billing_emails: [], email: 'x@acme<.com' }), []);
  });

  it('of test data are those of a pattern alone: Ada, not x@other.com', () => {
    const to = ['ada@acme.com', 'x@other.com'];
    assert.deepEqual(testRecipientsOf(to, ['*@acme.com']), ['ada@acme.com']);
    assert.deepEqual(testRecipientsOf(to, ['bob@acme.com', 'X@other.com']), ['x@other.com']);
    assert.deepEqual(testRecipientsOf(to, []), []);
  });
});
