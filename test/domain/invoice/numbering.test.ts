import assert from 'node:assert/strict';
import {
  greatestNumbers,
  haltOf,
  rememberedOf,
  resumedSequence,
  type Counter,
} from '../../../src/domain/invoice/numbering.ts';

const COUNTER: Counter = {
  ...{ last_number: '147', remembered: '147', is_restored: false, halt: null },
  ...{ last_credit_note_number: '12', remembered_credit_note: '12' },
};

describe('why live invoices wait', () => {
  const CASES: [what: string, counter: Partial<Counter>, halt: RegExp | null][] = [
    ['they do not, if the last number is the remembered one', {}, null],
    ['they do not, if the last number is above the remembered one', { last_number: '150' }, null],
    ['they do not in a new database', { last_number: '0', remembered: null }, null],
    ['they do not, if only Temporal is new', { remembered: null }, null],
    ['they do not after a failover that lost nothing', { is_restored: true }, null],
    [
      'the last number is below the remembered one',
      { remembered: '188' },
      /is 147, but 188 was issued .* live=188, or/,
    ],
    ['99 is below 100, compared as numbers', { last_number: '99', remembered: '100' }, /live=100, /],
    [
      'the last number is below the remembered one after a failover',
      { remembered: '188', is_restored: true },
      /live=188, /,
    ],
    [
      'a credit note was issued before a restore, and no invoice',
      { remembered_credit_note: '13' },
      /the last credit note here is 12, but 13 was issued .* live=147, or/,
    ],
    ['they do not, if no credit note is remembered', { remembered_credit_note: null }, null],
    [
      'the database was restored, and no number is remembered',
      { remembered: null, is_restored: true },
      /Temporal has no number\. .* live=N,/,
    ],
    [
      'a halt remains if no number is remembered',
      { remembered: null, halt: 'Live invoices wait: why' },
      /^Live invoices wait: why$/,
    ],
    [
      'a halt remains if a number is remembered since',
      { halt: 'Live invoices wait: why' },
      /^Live invoices wait: why$/,
    ],
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

describe('the number at which a feed goes on', () => {
  const CASES: [
    what: string,
    last_sequence: string,
    remembered: string | null,
    is_restored: boolean,
    at: string | null,
  ][] = [
    ['is the next one, if the last one is the remembered one', '40', '40', false, null],
    ['is the next one after a failover that lost nothing', '40', '40', true, null],
    ['is the next one, if only Temporal is new', '40', null, false, null],
    ['is the next one in a new database', '0', null, true, null],
    ['lies beyond the remembered one, if the last one is behind it', '40', '41', false, '1000041'],
    ['lies beyond the last one after a restore, if none is remembered', '40', null, true, '1000040'],
    ['is compared as a number', '99', '100', false, '1000100'],
  ];
  for (const [what, last_sequence, remembered, is_restored, at] of CASES)
    it(what, () => {
      assert.equal(resumedSequence({ last_sequence, remembered, is_restored }), at);
    });
});

describe('the numbers that Temporal remembers', () => {
  const environment = { account_id: 'acct_1', environment_id: 2 };

  it('are the greatest of each series', () => {
    const results = [
      { ...environment, last_number: '147', last_credit_note_number: '9', last_sequence: '39' },
      { ...environment, last_number: '150', last_credit_note_number: '8', last_sequence: '7' },
      { ...environment, last_number: '99', last_credit_note_number: '12', last_sequence: '40' },
    ];
    const greatest = greatestNumbers(results);
    const last_numbers = { last_number: '150', last_credit_note_number: '12', last_sequence: '40' };
    assert.deepEqual(greatest, [{ ...environment, ...last_numbers }]);
    assert.equal(rememberedOf(greatest, environment), '150');
    assert.equal(rememberedOf(greatest, environment, 'credit_notes'), '12');
    assert.equal(rememberedOf(greatest, environment, 'changes'), '40');
    assert.equal(rememberedOf(greatest, { ...environment, environment_id: 3 }), null);
  });
});
