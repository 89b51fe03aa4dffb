import assert from 'node:assert/strict';
import { BLANK } from '../../src/billing/customers/redact.ts';
import { createPool, type Pool } from '../../src/db/connection/pool.ts';
import { createDatabase } from '../support/servers/cluster.ts';

/** SQL: the rule of a trigger `g` of audit_row, its only argument. */
const RULE = `case when g.tgfoid = 'audit_row'::regproc
  then convert_from(substring(g.tgargs for length(g.tgargs) - 1), 'UTF8')::jsonb end`;

/** Columns of objects that people change whose change is in no entry of the audit log, by the reason. A new column is a decision. */
const NOT_AUDITED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  customers: {
    'never changes': 'environment_id id key external_id created_at',
    'its entries are audited': 'balance',
    'follows from the name': 'search_text search_grams',
    'is part of a pause or of its end, which are audited': 'collection_note collection_resumed_at',
    'is when its mode changed, which is audited': 'charge_mode_at',
    'is part of an advance, which is audited':
      'test_clock test_clock_reported test_clock_unreported hold_drafts',
    'moves with the archive': 'archived_to',
  },
  environments: {
    'never changes': 'id account_id livemode',
    'is when its mode changed, which is audited': 'charge_mode_at',
    'is a count of billing': 'last_invoice_number last_credit_note_number',
    'is the comparison of the counts at a start': 'numbering_run numbering_epoch numbering_timeline',
    'is the halt of numbers after a restore': 'numbering_halt numbering_given numbering_given_credit_note',
  },
  users: {
    'never changes': 'account_id id is_owner created_at',
    'is from the provider, at a sign-in': 'issuer subject',
  },
  webhook_endpoints: {
    'never changes': 'environment_id id created_at',
    'is a secret': 'secret previous_secret previous_secret_until',
    'is the state of deliveries': 'status status_reason taken_up_to failures is_asleep',
    'is the deletion, an entry of its own': 'deleted_at',
  },
};

describe('the columns of an object that people change', () => {
  let pool: Pool;
  before(async () => (pool = createPool(await createDatabase(), 1)));
  after(() => pool.end());

  /** Columns whose change the audit log has: members of a trigger that fires for them. */
  async function auditedColumns(table: string): Promise<string[]> {
    const { rows } = await pool.query<{ name: string }>(
      `select distinct a.attname as name
       from pg_trigger g
       join pg_attribute a on a.attrelid = g.tgrelid and a.attnum = any(g.tgattr)
       where g.tgrelid = $1::regclass and g.tgfoid = 'audit_row'::regproc and ${RULE} -> 'members' ? a.attname`,
      [table],
    );
    return rows.map(({ name }) => name);
  }

  for (const [table, columns] of Object.entries(NOT_AUDITED))
    it(`are audited, or there is a reason: ${table}`, async () => {
      const { rows } = await pool.query<{ name: string }>(
        `select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped`,
        [table],
      );
      const decided = Object.values(columns).flatMap((names) => names.split(' '));
      assert.deepEqual(
        [...(await auditedColumns(table)), ...decided].sort(),
        rows.map(({ name }) => name).sort(),
      );
    });

  it('have no values in the audit log where an erasure of the customer blanks them', async () => {
    const { rows } = await pool.query<{ personal: string[] }>(
      `select ${RULE} -> 'personal' as personal from pg_trigger g where g.tgrelid = 'customers'::regclass and ${RULE} ? 'personal'`,
    );
    assert.deepEqual(
      rows.map(({ personal }) => personal.sort()),
      [Object.keys(BLANK).sort()],
    );
  });
});
