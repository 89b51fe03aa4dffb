import assert from 'node:assert/strict';
import { changedBy, typesNamed } from '../../../src/domain/feed/change-types.ts';
import { changesOf, type LoggedChange } from '../../../src/domain/feed/feed.ts';
import type { LoggedRow } from '../../../src/domain/feed/logged-row.ts';

type Case = [what: string, before: LoggedRow | null, after: LoggedRow | null, types: string[] | null];

const TABLES: Readonly<Record<string, Case[]>> = {
  customers: [
    ['a new one', null, { name: 'Ann' }, ['created']],
    ['another name', { balance: '1' }, { balance: '1' }, ['updated']],
    ['another balance', { balance: '1' }, { balance: '2' }, null],
    ['a deletion', { name: 'Ann' }, null, ['deleted']],
  ],
  redactions: [
    ['a call', null, { customer_id: 'x', finished_at: null }, ['redacted']],
    [
      'its events are done',
      { customer_id: 'x', finished_at: null },
      { customer_id: 'x', finished_at: '2026' },
      ['updated'],
    ],
    ['a slice of them', { finished_at: null }, { finished_at: null }, null],
  ],
  subscriptions: [
    ['one that starts later', null, { noted_status: 'pending' }, ['created']],
    ['one that starts at once', null, { noted_status: 'active' }, ['created', 'started']],
    ['one with a trial', null, { noted_status: 'trialing' }, ['created', 'started']],
    ['its start', told('pending'), told('active'), ['started']],
    ['the end of its trial', told('trialing'), told('active'), ['trial_ended']],
    ['its end', told('active'), told('canceled'), ['canceled']],
    ['its end in the trial', told('trialing'), told('canceled'), ['canceled']],
    [
      'an end is scheduled',
      { ...told('active'), cancel_at: null },
      { ...told('active'), cancel_at: '2026' },
      ['updated'],
    ],
    ['a notice of a renewal', notice(null, null), notice('2026', null), ['renewal_coming']],
    ['one of another date', notice('2026', null), notice('2027', null), ['renewal_coming']],
    ['one of the end of its trial', notice(null, null), notice(null, '2026'), ['trial_ending']],
    ['billing waits for a person', attention(null), attention('no rate'), ['needs_attention']],
    ['another reason', attention('no rate'), attention('no number'), null],
    ['it is tried again', attention('no rate'), attention(null), null],
    ['it is tried again in vain', attention(null), attention('no rate'), ['needs_attention']],
    ['it is billed again', failed(true), failed(false), ['recovered']],
  ],
  invoices: [
    ['a draft', null, { status: 'draft' }, ['drafted']],
    ['a recount', { status: 'draft', total: '1' }, { status: 'draft', total: '2' }, null],
    ['the issue', { status: 'draft' }, { status: 'open' }, ['issued']],
    ['the issue with nothing due', { status: 'draft' }, { status: 'paid' }, ['issued', 'paid']],
    ['a part', owed('open', '0'), owed('open', '5'), ['updated']],
    ['the rest', owed('open', '5'), owed('paid', '9'), ['paid', 'updated']],
    ['a reversal', owed('paid', '9'), owed('open', '5'), ['updated']],
    ['overdue', { status: 'open', overdue_at: null }, { status: 'open', overdue_at: '2026' }, ['overdue']],
    ['a pause', paused(null), paused('2026-03-01'), ['updated']],
    ['a pause after one that is over', paused('2026-03-01'), paused('2026-03-08'), ['updated']],
    ['the end of a pause', paused('2026-03-01'), paused(null), ['updated']],
    ['nothing, in a pause', paused('2026-03-01'), paused('2026-03-01'), null],
    ['a void', { status: 'open' }, { status: 'void' }, ['voided']],
    ['a void of a draft', { status: 'draft' }, { status: 'void' }, ['voided']],
  ],
  invoice_items: [
    ['a new one', null, { deleted_at: null }, ['created']],
    [
      'a split',
      { deleted_at: null, unit_amount: '-60' },
      { deleted_at: null, unit_amount: '-50' },
      ['updated'],
    ],
    [
      'a split whose part has the unit amount',
      { deleted_at: null, unit_amount: '-3', amount: '-7.50' },
      { deleted_at: null, unit_amount: '-3', amount: '-3.00' },
      ['updated'],
    ],
    [
      'a deletion',
      { deleted_at: null, unit_amount: '1' },
      { deleted_at: '2026', unit_amount: '1' },
      ['deleted'],
    ],
  ],
  payments: [
    ['a payment', null, { reversed_at: null }, ['recorded']],
    ['its reversal', { reversed_at: null }, { reversed_at: '2026' }, ['reversed']],
    ['an erasure', { reversed_at: null, reference: 'a' }, { reversed_at: null, reference: null }, null],
  ],
  credit_notes: [
    ['a note', null, { status: 'issued' }, ['issued']],
    ['its void', { status: 'issued' }, { status: 'void' }, ['voided']],
  ],
  credit_grants: [
    ['a grant', null, grant(10), ['created']],
    ['a draw', grant(10), grant(4), ['updated']],
    ['the last draw', grant(4), grant(0), ['depleted']],
    ['a return', grant(0), grant(4), ['updated']],
    [
      'a notice of its expiry',
      { ...grant(4), noted_expiry: null },
      { ...grant(4), noted_expiry: '2026' },
      ['expiring'],
    ],
    ['its expiry, with credit', grant(4), grant(4, '2026'), ['expired']],
    ['its expiry, written off at once', grant(4), grant(0, '2026'), ['expired']],
    ['the write-off after its expiry', grant(4, '2026'), grant(0, '2026'), ['updated']],
    ['its expiry, used up', grant(0), grant(0, '2026'), null],
    ['a void', { ...grant(4), voided_at: null }, { ...grant(0), voided_at: '2026' }, ['voided']],
  ],
  credit_ledger: [['an entry', null, { grant_id: 'x' }, ['updated']]],
  balance_entries: [['an entry', null, {}, ['created']]],
  plans: [['a plan', null, {}, ['created']]],
  environments: [['another zone', { account_id: 'x' }, { account_id: 'x' }, ['updated']]],
  api_keys: [
    ['a key', null, { revoked_at: null }, ['created']],
    ['its use', { revoked_at: null, last_used_at: null }, { revoked_at: null, last_used_at: '2026' }, null],
    ['its end', { revoked_at: null }, { revoked_at: '2026' }, ['revoked']],
  ],
  periods: [
    ['a billing period', null, period('billing', '2026-02'), ['renewed']],
    [
      'the rest of one that was cut',
      null,
      { ...period('billing', '2026-02'), period_start: '2026-03' },
      ['updated'],
    ],
    ['a trial', null, period('trial', '2026-02'), null],
    ['its end', { ...period('billing', '2026-02'), closed_at: null }, period('billing', '2026-02'), null],
    [
      'its cut',
      { ...period('billing', '2026-02'), period_end: '2026-03' },
      period('billing', '2026-02'),
      ['updated'],
    ],
  ],
  line_items: [['a line', null, {}, null]],
};

function period(kind: string, at: string): LoggedRow {
  return { subscription_id: 'x', kind, period_start: at, full_period_start: at };
}

function told(noted_status: string): LoggedRow {
  return { noted_status, attention: null, cancel_at: null };
}

function notice(noted_renewal: string | null, noted_trial_end: string | null): LoggedRow {
  return { ...told('active'), noted_renewal, noted_trial_end };
}

function attention(reason: string | null): LoggedRow {
  return { ...told('active'), attention: reason };
}

function failed(billing_failed: boolean): LoggedRow {
  return { ...told('active'), attention: null, billing_failed };
}

function owed(status: string, amount_paid: string): LoggedRow {
  return { status, amount_paid, overdue_at: null };
}

/** An invoice whose collection was paused at an instant, or is not for null. */
function paused(created_at: string | null): LoggedRow {
  const collection_pause = created_at === null ? null : { reason: 'other', until: null, created_at };
  return { status: 'open', overdue_at: null, collection_pause };
}

function grant(remaining: number, expiry_noted_at: string | null = null): LoggedRow {
  return { remaining, expiry_noted_at, voided_at: null, expires_at: null };
}

describe('types of changes', () => {
  for (const [table_name, cases] of Object.entries(TABLES))
    for (const [title, before, after, types] of cases)
      it(`${table_name}: ${title} tells ${types?.join(' and ') ?? 'nothing'}`, () => {
        const row = (of: LoggedRow | null) => of && { id: 'x', ...of };
        // The first object is that of the row itself.
        const [changed] = changedBy({ table_name, before: row(before), after: row(after) });
        assert.deepEqual(changed?.types ?? null, types);
        if (changed !== undefined) assert.equal(changed.object_id, 'x');
      });

  const OF_INVOICE: [
    title: string,
    table_name: string,
    before: LoggedRow | null,
    after: LoggedRow,
    told: boolean,
  ][] = [
    ['a payment', 'payments', null, { invoice_id: 'i', reversed_at: null }, true],
    ['a payment in advance', 'payments', null, { invoice_id: null, reversed_at: null }, false],
    [
      'a reversal',
      'payments',
      { invoice_id: 'i', reversed_at: null },
      { invoice_id: 'i', reversed_at: '2026' },
      true,
    ],
    ['a credit note', 'credit_notes', null, { invoice_id: 'i', status: 'issued' }, true],
    [
      'its void',
      'credit_notes',
      { invoice_id: 'i', status: 'issued' },
      { invoice_id: 'i', status: 'void' },
      true,
    ],
  ];
  for (const [title, table_name, before, after, told_too] of OF_INVOICE)
    it(`${title} tells ${told_too ? 'an update' : 'nothing'} of the invoice, which lists it`, () => {
      const of_invoice = changedBy({ table_name, before, after }).filter(
        ({ object_type }) => object_type === 'invoice',
      );
      assert.deepEqual(
        of_invoice.map(({ object_id, types }) => [object_id, types]),
        told_too ? [['i', ['updated']]] : [],
      );
    });

  it('are named one by one, or all of an object', () => {
    assert.deepEqual(typesNamed('payment.*'), ['payment.recorded', 'payment.reversed']);
    assert.deepEqual(typesNamed('invoice.paid'), ['invoice.paid']);
    for (const unknown of ['', '*', '.*', 'invoice', 'invoice.', 'invoice.lost', 'inv.*', 'invoice_item'])
      assert.deepEqual(typesNamed(unknown), [], unknown);
  });
});

describe('changes of a batch', () => {
  const invoice = (xid: string, before: LoggedRow | null, after: LoggedRow): LoggedChange => ({
    ...{
      table_name: 'invoices',
      environment_id: 1,
      xid,
      actor: 'key_1',
      noted_at: '2026-01-01T00:00:00.000Z',
    },
    ...{ before: before && { id: 'inv_1', ...before }, after: { id: 'inv_1', ...after } },
  });
  const typesOf = (rows: LoggedChange[]) => changesOf(rows).map(({ type }) => type);

  it('have each type once for a transaction and object, and updated only alone', () => {
    const close = [
      invoice('7', null, { status: 'draft' }),
      invoice('7', { status: 'draft' }, { status: 'open' }),
      invoice('7', owed('open', '0'), owed('open', '1')),
      invoice('7', owed('open', '1'), owed('paid', '9')),
    ];
    assert.deepEqual(typesOf(close), ['invoice.drafted', 'invoice.issued', 'invoice.paid']);
    const parts = [
      invoice('8', owed('open', '0'), owed('open', '1')),
      invoice('8', owed('open', '1'), owed('open', '2')),
      invoice('9', owed('open', '2'), owed('open', '3')),
    ];
    assert.deepEqual(typesOf(parts), ['invoice.updated', 'invoice.updated']);
  });
});
