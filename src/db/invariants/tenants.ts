import type { Db } from '../connection/pool.ts';
import {
  bySql,
  byCode,
  codePart,
  firstFaults,
  sqlPart,
  type CheckOptions,
  type Fault,
  type Queries,
  type UnitFault,
} from './invariant.ts';
import { BLOCKS_AT_ONCE, OF_DAY, ONE_UNIT, type Kind, type Unit } from './unit.ts';

const OF_INVOICE = 'i.environment_id = unit.environment_id and i.id = unit.id';
const OF_ITEM = 'x.environment_id = unit.environment_id and x.id = unit.id';

/** SQL: the rows `c` of each table that belong to a unit. */
const CHILDREN: { readonly [kind in Kind]?: Readonly<Record<string, string>> } = {
  invoice: {
    invoices: 'c.id = unit.id',
    line_items: 'c.invoice_id = unit.id',
    payments: 'c.invoice_id = unit.id',
    regenerations: 'c.invoice_id = unit.id',
    credit_notes: 'c.invoice_id = unit.id',
    balance_entries: 'c.invoice_id = unit.id',
    line_item_spans: `c.line_item_id = any(array(
      select l.id from line_items l where l.environment_id = unit.environment_id and l.invoice_id = unit.id))`,
    credit_note_lines: `c.credit_note_id = any(array(
      select k.id from credit_notes k where k.environment_id = unit.environment_id and k.invoice_id = unit.id))`,
  },
  subscription: {
    subscriptions: 'c.id = unit.id',
    periods: 'c.subscription_id = unit.id',
    cut_offs: 'c.subscription_id = unit.id',
    quantity_changes: 'c.subscription_id = unit.id',
  },
  grant: {
    credit_grants: 'c.id = unit.id',
    credit_ledger: 'c.grant_id = unit.id',
    credit_draws: 'c.grant_id = unit.id',
  },
  customer: {
    customers: 'c.id = unit.id',
    balance_entries: 'c.customer_id = unit.id',
    transfers: 'c.customer_id = unit.id',
    discounts: 'c.customer_id = unit.id',
  },
  item: { invoice_items: 'c.id = unit.id' },
};

/**
 * Checks that no constraint covers: events name their customer by key, and two paths to a parent must lead to the same
 * row.
 */
const CROSS_TENANT_ROWS: Queries = {
  usage_day: [
    {
      tables: `named as materialized (
        select unit.*, c.environment_id as of_customer from unit left join customers c on c.key = unit.customer_key
      ), found as materialized (
        select unit.place, e.id, e.idempotency_key, e.environment_id, e.customer_key
        from named as unit join events e on ${OF_DAY} where e.environment_id is distinct from unit.of_customer)`,
      faults: `select place, format('event %s, key %s', id, idempotency_key) as "row",
          format('of environment %s names customer %s', environment_id, customer_key) as what
        from found`,
    },
  ],
  invoice: [
    `select format('invoice %s', i.id) as "row",
     format('is for customer %s and plan %s, its subscription %s and period for %s and %s', i.customer_id, i.plan_id,
       s.id, s.customer_id, p.plan_id) as what
   from invoices i
   join subscriptions s on s.environment_id = i.environment_id and s.id = i.subscription_id
   left join periods p on p.environment_id = i.environment_id and p.subscription_id = i.subscription_id
     and p.period_start = i.period_start and (p.kind = 'late') = (i.kind = 'late')
   where ${OF_INVOICE} and (s.customer_id <> i.customer_id or p.plan_id <> i.plan_id and i.kind <> 'opening')`,
    `select format('line item %s', l.id) as "row",
     format('is of subscription %s and charge %s of plan %s, its invoice of %s, and its full period of plan %s',
       l.subscription_id, h.id, h.plan_id, i.subscription_id, p.plan_id) as what
   from invoices i
   join line_items l on l.environment_id = i.environment_id and l.invoice_id = i.id
   left join charges h on h.environment_id = l.environment_id and h.id = l.charge_id
   left join periods p on p.environment_id = l.environment_id and p.subscription_id = l.subscription_id
     and p.period_start = l.full_period_start and p.kind <> 'late'
   -- Another plan may have been exchanged for the plan of a fee in advance.
   where ${OF_INVOICE} and (l.subscription_id <> i.subscription_id
     or h.plan_id <> p.plan_id and h.pricing ->> 'billed' is distinct from 'in_advance')`,
    `select format('line item %s', l.id) as "row",
     format('of subscription %s counts up to cut-off %s of %s', l.subscription_id, u.id, u.subscription_id) as what
   from line_items l
   join line_item_spans p on p.environment_id = l.environment_id and p.line_item_id = l.id
   cross join lateral (values (p.up_to_cut_off_id), (p.after_cut_off_id)) as cut_off(id)
   join cut_offs u on u.environment_id = p.environment_id and u.id = cut_off.id
   where l.environment_id = unit.environment_id and l.invoice_id = unit.id and u.subscription_id <> l.subscription_id`,
  ],
  item: [
    `select format('line item %s', l.id) as "row",
     format('of subscription %s has invoice item %s of %s', l.subscription_id, x.id, x.subscription_id) as what
   from invoice_items x
   join line_items l on l.environment_id = x.environment_id and l.invoice_item_id = x.id
   join invoices i on i.environment_id = l.environment_id and i.id = l.invoice_id
   -- What a void gave back may have moved to another subscription since (billing.md 7).
   where ${OF_ITEM} and x.subscription_id <> l.subscription_id and i.status <> 'void'`,
    `select format('invoice item %s', x.id) as "row",
     format('is of customer %s, its subscription %s of %s', x.customer_id, s.id, s.customer_id) as what
   from invoice_items x join subscriptions s on s.environment_id = x.environment_id and s.id = x.subscription_id
   where ${OF_ITEM} and s.customer_id <> x.customer_id`,
  ],
};

/** Separation of test and live data and of accounts, and that no API key is readable. */
export const TENANT_INVARIANTS = [
  byCode(
    'I22',
    'Every row is in the same environment as the rows that it references, and every foreign key between tenant tables includes the environment.',
    [
      codePart('database', async (db) =>
        (await keysWithoutEnvironment(db)).map((fault) => ({ ...fault, unit: ONE_UNIT })),
      ),
      codePart('table_blocks', missingParents),
      ...(Object.keys(CHILDREN) as Kind[]).map((kind) => ({
        ...codePart(kind, (db, units, options) => missingParentsOf(db, kind, { units, options })),
        of_changes: true,
      })),
      ...(Object.keys(CROSS_TENANT_ROWS) as Kind[]).map((kind) => sqlPart(kind, CROSS_TENANT_ROWS[kind]!)),
    ],
  ),
  bySql(
    'I26',
    'No API key can be read: only its hash is stored, and no stored response contains an API key.',
    {
      database: [
        `select format('API key %s', id) as "row", 'shows more than its last four characters' as what
       from api_keys where length(secret_hash) <> 32 or length(last_four) > 4
         or name ~ 'tm_sk_(test|live)_[0-9A-Za-z]{8}'`,
      ],
      idempotency_hour: [
        `select format('idempotency key %s of environment %s', key, environment_id) as "row",
           'has a stored response with an API key' as what
       from idempotency_keys where claimed_at >= unit.hour and claimed_at < unit.hour + interval '1 hour'
         and body ~ 'tm_sk_(test|live)_[0-9A-Za-z]{8}'`,
      ],
    },
  ),
];

/**
 * Foreign keys between tenants' tables that omit the environment or were never validated, and tables without such a
 * key.
 */
async function keysWithoutEnvironment(db: Db): Promise<Fault[]> {
  const { rows } = await db.query<Fault>(`
    with tenant as (
      select c.oid, a.attnum from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attname = 'environment_id' and not a.attisdropped
      where c.relkind = 'r' and not c.relispartition and c.relnamespace = 'public'::regnamespace
    ), key as (
      select k.conname, k.conrelid, k.convalidated, k.conkey, k.confkey, parent.attnum as parent_environment,
        child.attnum as environment
      from pg_constraint k
      join tenant as child on child.oid = k.conrelid
      left join tenant as parent on parent.oid = k.confrelid
      where k.contype = 'f'
    )
    select format('constraint %s of %s', conname, conrelid::regclass) as "row",
      case when convalidated then 'does not carry the environment'
        else 'was not checked for the rows that were there' end as what
    from key
    where not convalidated or (parent_environment is not null
      and array_position(conkey, environment) is distinct from array_position(confkey, parent_environment))
      or (parent_environment is not null and array_position(conkey, environment) is null)
    union all
    -- What is rolled up from the events has none, like the events: it would cost each of them a look at its customer.
    -- Nor has the log of changed rows.
    select format('table %s', oid::regclass), 'has no foreign key that carries its environment' from tenant
    where oid not in ('usage_days'::regclass, 'billing_days'::regclass, 'usage_cells'::regclass,
        'usage_dimensions'::regclass, 'row_changes'::regclass)
      and not exists (select from key where conrelid = oid and environment = any(conkey))`);
  return rows;
}

type ForeignKey = {
  child: string;
  parent: string;
  columns: string[];
  parent_columns: string[];
  key: string[];
};

async function foreignKeys(db: Db): Promise<ForeignKey[]> {
  const { rows } = await db.query<ForeignKey>(`
    select k.conrelid::regclass::text as child, k.confrelid::regclass::text as parent, k.conrelid,
      array(select quote_ident(attname) from unnest(k.conkey) with ordinality as c(n, place)
        join pg_attribute on attrelid = k.conrelid and attnum = n order by place) as columns,
      array(select quote_ident(attname) from unnest(k.confkey) with ordinality as c(n, place)
        join pg_attribute on attrelid = k.confrelid and attnum = n order by place) as parent_columns,
      array(select quote_ident(attname) from pg_index x cross join unnest(x.indkey) with ordinality as c(n, place)
        join pg_attribute on attrelid = k.conrelid and attnum = n
        where x.indrelid = k.conrelid and x.indisprimary order by place) as key
    from pg_constraint k where k.contype = 'f' and k.connamespace = 'public'::regnamespace
    order by k.conrelid::regclass::text, k.conname`);
  return rows;
}

/**
 * Rows in blocks of a table whose parent is missing, one query per foreign key: a restore, or a session without
 * triggers, bypasses constraints.
 */
async function missingParents(db: Db, units: readonly Unit[], { limit }: CheckOptions): Promise<UnitFault[]> {
  const faults: UnitFault[] = [];
  const keys = await foreignKeys(db);
  for (const unit of units) {
    const [table, block] = unit.id.split(' ');
    for (const key of keys.filter(({ child }) => child === table)) {
      const of_blocks = `c.ctid >= $2 and c.ctid < $3`;
      const { rows } = await db.query<Fault>(`${lostParentsOf(key, of_blocks)} limit $1`, [
        limit - faults.length,
        `(${Number(block)},0)`,
        `(${Number(block) + BLOCKS_AT_ONCE},0)`,
      ]);
      faults.push(...rows.map((fault) => ({ ...fault, unit })));
    }
  }
  return faults;
}

/** Finds rows without their parents among those that changed, by the units that they belong to. */
async function missingParentsOf(
  db: Db,
  kind: Kind,
  { units, options: { limit } }: { units: readonly Unit[]; options: CheckOptions },
): Promise<UnitFault[]> {
  const faults: UnitFault[] = [];
  for (const key of await foreignKeys(db)) {
    const of_unit = CHILDREN[kind]![key.child];
    if (of_unit === undefined) continue;
    const query = lostParentsOf(key, `c.environment_id = unit.environment_id and ${of_unit}`);
    faults.push(...(await firstFaults(db, query, { kind, units, limit: limit - faults.length })));
  }
  return faults;
}

function lostParentsOf({ child, parent, columns, parent_columns, key }: ForeignKey, which: string): string {
  const pairs = columns.map((column, index) => `p.${parent_columns[index]} = c.${column}`).join(' and ');
  const columnList = (names: readonly string[]) => names.map((name) => `c.${name}`).join(', ');
  return `
    select format('${child} %s', concat_ws(', ', ${columnList(key)})) as "row",
      format('references %s of ${parent}, which does not exist', concat_ws(', ', ${columnList(columns)})) as what
    from ${child} c
    where ${which} and ${columns.map((column) => `c.${column} is not null`).join(' and ')}
      and not exists (select from ${parent} p where ${pairs})`;
}
