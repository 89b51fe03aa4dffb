import assert from 'node:assert/strict';
import Big from 'big.js';
import fc from 'fast-check';
import { parseJson } from '../../../api/http/json.ts';
import { BillingError, type Reason } from '../../../src/domain/money/errors.ts';

const nested = (levels: number, inner = '') => '['.repeat(levels) + inner + ']'.repeat(levels);

describe('parseJson', () => {
  const TAKEN: [text: string, value: unknown][] = [
    ['{"a":[1,true,null,"x"]}', { a: [1, true, null, 'x'] }],
    [' {"a" : 1.0}\n', { a: 1 }],
    ['[1e2,1E+2,0.10,-0,100000000000000000000,1.5e300]', [100, 100, 0.1, -0, 1e20, 1.5e300]],
    ['[9007199254740992,0.30000000000000004,0e999999999]', [9007199254740992, 0.30000000000000004, 0]],
    ['{"a":"\\u0001\\ud83d\\ude00é😀\\u00e9"}', { a: '\u0001😀é😀é' }],
    ['{"constructor":{"prototype":{"x":1}}}', { constructor: { prototype: { x: 1 } } }],
    ['{"a":{"b":1},"b":{"b":1},"":1}', { a: { b: 1 }, b: { b: 1 }, '': 1 }],
    ['{"a":"{\\"a\\":1,\\"a\\":1} \\\\"}', { a: '{"a":1,"a":1} \\' }],
    ['{"a":"1e400 12345678901234567890 __proto__"}', { a: '1e400 12345678901234567890 __proto__' }],
  ];
  for (const [text, value] of TAKEN)
    it(`takes ${JSON.stringify(text)}`, () => assert.deepEqual(parseJson(Buffer.from(text)), value));

  const REFUSED: [text: string | Buffer, reason: Reason, param: string | null][] = [
    ['', 'missing', null],
    [' \n', 'missing', null],
    ['{"a":', 'malformed', null],
    ['{a:1}', 'malformed', null],
    ["{'a':1}", 'malformed', null],
    ['{"a":1,}', 'malformed', null],
    ['{"a":01}', 'malformed', null],
    ['{"a":NaN}', 'malformed', null],
    ['{}{}', 'malformed', null],
    ['{} // c', 'malformed', null],
    ['{"a":"\t"}', 'malformed', null],
    ['\ufeff{}', 'malformed', null],
    [Buffer.from([0x22, 0xff, 0xfe, 0x22]), 'malformed', null],
    [Buffer.from([0x22, 0xc0, 0x80, 0x22]), 'malformed', null],
    [Buffer.from([0x22, 0xe2, 0x82, 0x22]), 'malformed', null],
    ['{"a":1,"b":{"c":[0,{"d":1,"d":1}]}}', 'duplicate_member', 'b.c[1].d'],
    ['{"a":1,"\\u0061":2}', 'duplicate_member', 'a'],
    ['{"__proto__":{"x":1}}', 'not_allowed', '__proto__'],
    ['{"a":{"\\u005f_proto__":1}}', 'not_allowed', 'a.__proto__'],
    ['{"a":"\\u0000"}', 'malformed', 'a'],
    ['{"a":{"\\u0000":1}}', 'malformed', 'a'],
    ['{"a":["\\ud800"]}', 'malformed', 'a[0]'],
    ['{"a":"\\ude00\\ud83d"}', 'malformed', 'a'],
    ['{"\\uD800":1}', 'malformed', null],
    ['{"n":9007199254740993}', 'not_exact', 'n'],
    ['{"events":[{},{"properties":{"n":1e400}}]}', 'not_exact', 'events[1].properties.n'],
    ['{"n":-1e400}', 'not_exact', 'n'],
    ['{"n":1e-400}', 'not_exact', 'n'],
    ['{"n":0.1234567890123456789}', 'not_exact', 'n'],
    ['{"n":123456789012345678901234567890}', 'not_exact', 'n'],
    [`{"a":${nested(33)}}`, 'too_deep', 'a[0][0][0]'],
    [nested(1_000_000), 'too_deep', '[0][0][0][0]'],
    ['['.repeat(1_000_000), 'too_deep', '[0][0][0][0]'],
    [`${'['.repeat(40)}"${'\\"'.repeat(1_000_000)}`, 'too_deep', '[0][0][0][0]'],
    [`[${'1234567890123456789,'.repeat(100_000)}1]`, 'not_exact', '[0]'],
    [`{"n":1${'0'.repeat(1_000_000)}1}`, 'not_exact', 'n'],
  ];
  for (const [body, reason, param] of REFUSED)
    it(`refuses ${JSON.stringify(body.toString().slice(0, 60))}: ${reason}`, () => {
      assert.throws(
        () => parseJson(Buffer.from(body)),
        (error) => {
          assert.ok(error instanceof BillingError);
          assert.deepEqual(
            error.details.map((detail) => [detail.reason, detail.param]),
            [[reason, param]],
          );
          return true;
        },
      );
    });

  it('allows 32 levels inside properties, also of an event in a batch', () => {
    const free = (levels: number) => '{"a":'.repeat(levels - 1) + '{}' + '}'.repeat(levels - 1);
    parseJson(Buffer.from(`{"properties":${free(32)}}`));
    assert.throws(() => parseJson(Buffer.from(`{"properties":${free(33)}}`)), BillingError);
    parseJson(Buffer.from(`{"events":[{"properties":${free(32)}}]}`), 4);
    assert.throws(() => parseJson(Buffer.from(`{"events":[{"properties":${free(33)}}]}`), 4), BillingError);
  });

  it('does not change Object.prototype', () => {
    assert.throws(() => parseJson(Buffer.from('{"__proto__":{"x":1}}')));
    assert.equal('x' in {}, false);
  });

  it('reads everything that JSON.stringify writes, as JSON.parse does', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), (text) => {
        fc.pre(!text.includes('__proto__') && !/\\u(0000|d)/.test(text));
        assert.deepEqual(parseJson(Buffer.from(text)), JSON.parse(text));
      }),
    );
  });

  it('accepts a number only if its double prints as the same decimal', () => {
    const digits = (max: number) =>
      fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: max }).map((all) => all.join(''));
    const aNumber = fc
      .tuple(
        fc.constantFrom('', '-'),
        digits(22).map((text) => text.replace(/^0+(?=\d)/, '')),
        fc.option(digits(22)),
        fc.option(fc.integer({ min: -330, max: 330 })),
      )
      .map(
        ([sign, whole, fraction, exponent]) =>
          sign +
          whole +
          (fraction === null ? '' : `.${fraction}`) +
          (exponent === null ? '' : `e${exponent}`),
      );
    fc.assert(
      fc.property(
        fc.oneof(aNumber, fc.double({ noNaN: true, noDefaultInfinity: true }).map(String)),
        (text) => {
          const double = Number(text);
          const is_exact = Number.isFinite(double) && new Big(text).eq(new Big(`${double}`));
          assert.equal(takes(text), is_exact);
        },
      ),
      { numRuns: 500 },
    );
  });
});

function takes(text: string): boolean {
  try {
    parseJson(Buffer.from(text));
    return true;
  } catch {
    return false;
  }
}
