import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createPool } from '../../src/db/connection/pool.ts';
import { CUSTOMER_USES, type CustomerUses } from '../../src/domain/money/errors.ts';
import { createDatabase } from '../support/servers/cluster.ts';

/**
 * The decision about a table in a deletion and a redaction. `use`: the rows keep the customer from being deleted, as this kind of use;
 * else `because` says why they need not. `redaction`: `blanks` rows, or why it leaves them.
 */
type Decision = ({ use: keyof CustomerUses } | { because: string }) & { redaction: string };

const OF_EVENTS = 'there is no row without an event';
const COUNTS = 'it counts events, and names no property';

/** A new table is a decision about both. */
const DECISIONS: Readonly<Record<string, Decision>> = {
  audit_log: {
    because: 'it says what was done to a customer, deleted or not',
    redaction: 'it has no values of people',
  },
  balance_entries: { use: 'has_balance_entries', redaction: 'blanks' },
  billing_days: { because: OF_EVENTS, redaction: COUNTS },
  collections: { because: 'each has an invoice', redaction: 'they have no words' },
  credit_grants: { use: 'has_credit_grants', redaction: 'blanks' },
  discounts: { use: 'has_discounts', redaction: 'blanks' },
  emails: { because: 'each has an invoice, a credit note or a payment', redaction: 'blanks' },
  events: { use: 'has_events', redaction: 'blanks' },
  feed: { because: 'it keeps numbers, and of a deleted customer no object', redaction: 'blanks' },
  invoice_items: { use: 'has_invoice_items', redaction: 'blanks' },
  invoices: { use: 'has_invoices', redaction: 'blanks' },
  payment_attempts: { because: 'each has an invoice', redaction: 'they have no words' },
  payment_disputes: { because: 'each has a payment', redaction: 'they have no words' },
  payment_methods: { because: 'each has a customer at the provider', redaction: 'blanks' },
  payment_pages: { because: 'each has a customer at the provider', redaction: 'they have no words, and end' },
  payment_refunds: { because: 'each has a payment', redaction: 'blanks' },
  payments: {
    because: 'each has an invoice or a balance entry',
    redaction: 'blanks',
  },
  plans: { use: 'has_pricing_plans', redaction: 'blanks' },
  portal_sessions: {
    because: 'they are deleted with the customer',
    redaction: 'they have no words, and end',
  },
  provider_customers: {
    use: 'has_payment_methods',
    redaction: 'they have no words; the provider blanks its own',
  },
  redactions: {
    because: 'they stay, as those of a deleted customer',
    redaction: 'they name properties, not values',
  },
  set_aside: {
    because: 'its jobs take customers with events or grants',
    redaction: 'reasons are messages of errors',
  },
  subscriptions: { use: 'has_subscriptions', redaction: 'they have no words' },
  transfers: {
    because: 'each has a payment, with an invoice or a balance entry',
    redaction: 'blanks',
  },
  usage_cells: { because: OF_EVENTS, redaction: 'blanks' },
  usage_days: { because: OF_EVENTS, redaction: 'blanks' },
  usage_dimensions: {
    because: 'a subscription makes them',
    redaction: 'they name properties that a charge reads',
  },
  usage_notices: { because: OF_EVENTS, redaction: COUNTS },
};

describe('the tables that refer to a customer', () => {
  const textOf = (file: string) => readFileSync(new URL(`../../src/db/${file}`, import.meta.url), 'utf8');

  it('are those about whose deletion and redaction is decided', async () => {
    const pool = createPool(await createDatabase(), 1);
    const { rows } = await pool
      .query<{ name: string }>(
        `select c.relname as name from pg_class c
         where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace
           and (exists (select from pg_constraint k where k.conrelid = c.oid and k.confrelid = 'customers'::regclass)
             or exists (select from pg_attribute a where a.attrelid = c.oid and a.attname in ('customer_id', 'customer_key')))`,
      )
      .finally(() => pool.end());
    assert.deepEqual(rows.map(({ name }) => name).sort(), Object.keys(DECISIONS));
  });

  it('keep it from being deleted, each by a use of its own', () => {
    const text = textOf('customers/customer-deletion.ts');
    const uses = Object.entries(DECISIONS).flatMap(([table, decision]) =>
      'use' in decision ? [{ table, use: decision.use }] : [],
    );
    for (const { table, use } of uses) assert.match(text, new RegExp(`from ${table}\\b[^,]* as ${use}\\b`));
    assert.deepEqual(uses.map(({ use }) => use).sort(), [...CUSTOMER_USES].sort());
  });

  it('are blanked by a redaction where it says so', () => {
    const text = [
      ...['events/redacted-slice.ts', 'invoicing/erased-texts.ts', 'feed/erased-data.ts'],
      ...['emails/erased-emails.ts', 'collection/methods.ts'],
    ]
      .map(textOf)
      .join('');
    for (const [table, { redaction }] of Object.entries(DECISIONS))
      assert.equal(new RegExp(`update ${table}\\b|'${table}'`).test(text), redaction === 'blanks', table);
  });
});
