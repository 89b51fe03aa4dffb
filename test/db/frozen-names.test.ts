import assert from 'node:assert/strict';
import { ALL } from '../../src/domain/pricing/series.ts';
import { CONTENT_HASH_VERSION, contentHash, SEALED_SINCE } from '../../src/db/invoicing/content-hash.ts';
import { hashOfCreditNote, IS_SEALED } from '../../src/db/invoicing/credit-notes.ts';
import type { CreditNote } from '../../src/objects/credit-note.ts';
import type { Invoice } from '../../src/objects/invoice.ts';
import type { Pool } from '../../src/db/connection/pool.ts';
import * as given from '../support/ledger/billing.ts';

/** STYLE.md, "Frozen": the content hash of issued invoices covers the JSON of lines and parties, with members in this order. */
describe('what the content hash of an invoice covers', () => {
  let pool: Pool;
  before(async () => void (pool = await given.aLedger()));
  after(() => pool.end());

  it('members of a line item, in their order', async () => {
    const customer = await given.aCustomer(pool);
    const plan_id = await given.aPlan(pool, [{ pricing: given.GRADUATED }]);
    const subscription = await given.aSubscription(pool, customer, plan_id);
    const { line_items } = await given.bill(pool, given.stepOf(subscription));
    const FROZEN = [
      ...[
        'id',
        'type',
        'charge_id',
        ...['price_index', 'group', 'others'],
        'invoice_item',
        'event_name',
        'description',
        'pricing_model',
        'aggregation',
        'quantity',
      ],
      ...['skipped_events', 'credits_applied', 'billable_quantity', 'tiers', 'amount', 'period_start'],
      'period_end',
      ...['discounts', 'amount_before', 'stretches', 'billed_before'],
    ];
    assert.deepEqual(Object.keys(line_items[0]!), FROZEN);
    const [tier] = line_items[0]!.tiers!;
    assert.deepEqual(Object.keys(tier!), ['up_to', 'amount', 'quantity', 'flat_amount', 'unit_amount']);
  });

  const HASHES: [version: number, hash: string][] = [
    [1, '5634fd8588fd62d6f66a14246c1e8b95996fc559715e26a05404e64d524158d2'],
    [2, '0ac68e0b9c82f28cab030b383ceccbb87760ce9cb6d30761c0fdd5e756aed133'],
  ];
  for (const [version, hash] of HASHES) {
    it(`an invoice with a content hash of version ${version} keeps its hash`, () => {
      assert.equal(contentHash(OF_LAST_YEAR, version).toString('hex'), hash);
    });
  }

  it('members of an invoice, from the version on that SEALED_SINCE names', () => {
    for (const [member, since] of Object.entries(SEALED_SINCE)) {
      assert.ok((since ?? 1) <= CONTENT_HASH_VERSION, member);
      const changed = withOtherMember(OF_LAST_YEAR, member);
      for (let version = 1; version <= CONTENT_HASH_VERSION; version += 1) {
        const is_equal = contentHash(changed, version).equals(contentHash(OF_LAST_YEAR, version));
        assert.equal(!is_equal, since !== null && since <= version, `${member}, version ${version}`);
      }
    }
  });

  it('members of a credit note that IS_SEALED names, whose hash stays', () => {
    const hash = hashOfCreditNote(NOTE);
    assert.equal(hash.toString('hex'), '18ffe6dea2cae67400f0b2f2984bdc4acd839cf7ca53acd5035bbf8cda759505');
    for (const [member, is_sealed] of Object.entries(IS_SEALED))
      assert.equal(!hashOfCreditNote(withOtherMember(NOTE, member)).equals(hash), is_sealed, member);
  });

  it('seller and customer, members in the order in which they are stored', async () => {
    const customer = await given.aCustomer(pool);
    const subscription = await given.aSubscription(
      pool,
      customer,
      await given.aPlan(pool, [{ pricing: given.PER_UNIT }]),
    );
    const { seller, customer: billed } = await given.bill(pool, given.stepOf(subscription));
    assert.deepEqual(
      [Object.keys(seller), Object.keys(billed)],
      [
        ['name', 'footer', 'address', 'tax_ids'],
        ['name', 'email', 'address', 'tax_ids', 'external_id', 'tax_treatment', 'buyer_reference'],
      ],
    );
  });
});

/** A copy of the object with another value of one member. */
function withOtherMember<T extends Invoice | CreditNote>(said: T, member: string): T {
  const others: Record<string, object> = {
    line_items: { line_items: [] },
    tax: { tax: { ...said.tax, amount: '0.01' } },
    seller: { seller: { ...said.seller, name: 'Another' } },
    customer: { customer: { ...said.customer, name: 'Another' } },
  };
  return { ...said, ...(others[member] ?? { [member]: 'another' }) };
}

const OF_LAST_YEAR: Invoice = {
  id: 'inv_1',
  object: 'invoice',
  livemode: true,
  number: 'INV-000001',
  status: 'open',
  payment_status: 'unpaid',
  customer_id: 'acme',
  subscription_id: 'sub_1',
  plan_id: 'plan_1',
  kind: 'period',
  cause: null,
  opening_number: null,
  currency: 'USD',
  timezone: 'UTC',
  period_start: '2026-01-01T00:00:00.000Z',
  period_end: '2026-02-01T00:00:00.000Z',
  line_items: [
    {
      id: 'li_1',
      type: 'flat',
      charge_id: 'chg_1',
      ...ALL,
      invoice_item: null,
      event_name: 'base',
      description: 'Base fee',
      pricing_model: 'flat',
      aggregation: null,
      quantity: '1',
      skipped_events: 0,
      credits_applied: '0',
      billable_quantity: '1',
      tiers: null,
      amount: '49.00',
      period_start: '2026-01-01T00:00:00.000Z',
      period_end: '2026-02-01T00:00:00.000Z',
      discounts: [],
      amount_before: null,
      stretches: null,
      billed_before: null,
    },
  ],
  subtotal: '49.00',
  tax: { rate: '20', amount: '9.80', treatment: 'standard', note: null },
  total: '58.80',
  amount_due: '58.80',
  amount_paid: '0.00',
  balance_applied: '0.00',
  balance_at_issue: '0.00',
  credited: '0.00',
  credits_applied: '0',
  replaces: null,
  replaced_by: null,
  created_at: '2026-02-01T00:00:00.000Z',
  issued_at: '2026-02-01T00:00:00.000Z',
  sent_at: null,
  paid_at: null,
  voided_at: null,
  void_reason: null,
  payment_reference: null,
  payments: [],
  credit_notes: [],
  due_date: '2026-02-15',
  overdue: false,
  collection_pause: null,
  collection: { status: 'none', attempts: 0, next_attempt_at: null, workflow_id: null },
  hide_zero_lines: false,
  seller: { name: 'Seller', footer: 'Payable within 14 days.', address: null, tax_ids: [] },
  customer: {
    name: null,
    email: 'a@acme.example',
    address: null,
    tax_ids: [],
    external_id: 'acme',
    tax_treatment: 'standard',
    buyer_reference: null,
  },
  logo_sha256: null,
};

const NOTE: CreditNote = {
  id: 'cn_1',
  object: 'credit_note',
  livemode: true,
  created_at: '2026-02-03T00:00:00.000Z',
  number: 'CN-000001',
  status: 'issued',
  automatic: false,
  invoice_id: 'inv_1',
  invoice_number: 'INV-000001',
  customer_id: 'acme',
  currency: 'USD',
  timezone: 'UTC',
  lines: [{ amount: '10.00', description: 'Base fee', line_item_id: 'li_1' }],
  subtotal: '10.00',
  tax: { rate: '20', amount: '2.00', treatment: 'standard', note: null },
  total: '12.00',
  to_invoice: '12.00',
  to_balance: '0.00',
  outside: '0.00',
  reason: 'An outage',
  issued_at: '2026-02-03T00:00:00.000Z',
  sent_at: null,
  created_by: 'key_1',
  voided_at: null,
  void_reason: null,
  voided_by: null,
  seller: OF_LAST_YEAR.seller,
  customer: OF_LAST_YEAR.customer,
};
