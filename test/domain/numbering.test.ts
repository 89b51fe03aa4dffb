import assert from 'node:assert/strict';
import { haltOf, type Counter } from '../../src/domain/numbering.ts';

const COUNTER: Counter = { last_number: '147', remembered: '147', is_restored: false, halt: null };

describe('why live invoices wait', () => {
  const CASES: [what: string, counter: Partial<Counter>, halt: RegExp | null][] = [
    ['not where the count is what is remembered', {}, null],
    ['not where it is above', { last_number: '150' }, null],
    ['not of a new database', { last_number: '0', remembered: null }, null],
    ['not where only Temporal is new', { remembered: null }, null],
    ['not after a failover that lost nothing', { is_restored: true }, null],
    ['below what is remembered', { remembered: '188' }, /is 147, but 188 was issued .* live=188, or/],
    ['numbers are no texts', { last_number: '99', remembered: '100' }, /live=100, /],
    ['below it after a failover', { remembered: '188', is_restored: true }, /live=188, /],
    [
      'restored without a memory',
      { remembered: null, is_restored: true },
      /Temporal has no number\. .* live=N,/,
    ],
    [
      'until an operator says so',
      { remembered: null, halt: 'Live invoices wait: why' },
      /^Live invoices wait: why$/,
    ],
    ['whatever is remembered since', { halt: 'Live invoices wait: why' }, /^Live invoices wait: why$/],
  ];
  for (const [what, counter, halt] of CASES) {
    it(what, () => {
      const found = haltOf({ ...COUNTER, ...counter });
      if (halt === null) assert.equal(found, null);
      else {
        assert.match(found ?? '', halt);
        assert.ok(found!.length <= 200, `${found!.length} characters`);
      }
    });
  }
});
