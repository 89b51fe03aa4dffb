import type { RevenueGrouping } from '../../objects/revenue.ts';
import { createParameters, type Parameter } from '../connection/parameters.ts';
import type { Db } from '../connection/pool.ts';

/** The sums of one group in one part of the range. */
export type RevenueRow = {
  /** Place of the part in `starts`. */
  bucket: number;
  currency: string;
  /** The external id of a customer, or a plan by its key; null for all that are not shown by themselves. */
  group_id: string | null;
  /** Order of the groups, from 1; null for all others. */
  place: number | null;
} & RevenueSums;

const AMOUNTS = ['fees', 'usage', 'late_usage', 'items', 'voided', 'credited', 'tax'] as const;
const COUNTS = ['invoices', 'credit_notes'] as const;
type RevenueSums = Record<(typeof AMOUNTS)[number], string> & Record<(typeof COUNTS)[number], number>;

export type RevenueQuery = {
  environment_id: number;
  customer_id: string | null;
  group_by: RevenueGrouping | null;
  /** Starts of the parts of the range, in order; the last part ends at `to`. */
  starts: readonly string[];
  to: string;
};

type Source = { from: string; at: string; of: 'i' | 'x'; and?: string } & Partial<
  Record<(typeof AMOUNTS)[number] | (typeof COUNTS)[number], string>
>;

const NOTES = `credit_notes x
    join invoices i on i.environment_id = x.environment_id and i.id = x.invoice_id`;

/**
 * SQL of each movement of the accounts `revenue` and `tax_payable` (journal.ts), with the invoice `i`; what it adds up
 * is for the whole of a group.
 */
const SOURCES: readonly Source[] = [
  {
    from: 'invoices i',
    at: 'i.issued_at',
    of: 'i',
    ...{ fees: 'sum(i.fees)', usage: 'sum(i.usage)', late_usage: 'sum(i.late_usage)', items: 'sum(i.items)' },
    tax: 'sum(i.tax_amount)',
    invoices: 'count(*)',
  },
  {
    from: 'invoices i',
    at: 'i.voided_at',
    of: 'i',
    and: 'and i.number is not null',
    voided: '-sum(i.subtotal)',
    tax: '-sum(i.tax_amount)',
  },
  {
    from: NOTES,
    at: 'x.issued_at',
    of: 'x',
    credited: '-sum(x.subtotal)',
    tax: '-sum(x.tax_amount)',
    credit_notes: 'count(*)',
  },
  { from: NOTES, at: 'x.voided_at', of: 'x', credited: 'sum(x.subtotal)', tax: 'sum(x.tax_amount)' },
];

/** SQL: the movements of the environment $1 in the range, added up by part, currency and group. */
function cellsOf({ customer_id, group_by, starts, to }: RevenueQuery, parameter: Parameter): string {
  const [bounds, end] = [parameter(starts), parameter(to)];
  const customer = customer_id === null ? null : parameter(customer_id);
  const group = group_by === null ? 'null' : `i.${group_by}_id`;
  const sums = SOURCES.map(({ from, at, of, and = '', ...source }) => {
    const columns = [...AMOUNTS, ...COUNTS].map((name) => `${source[name] ?? '0'} as ${name}`);
    const ofCustomer =
      customer === null
        ? ''
        : `and i.customer_id in (
        select id from customers where environment_id = $1 and ${customer} in (external_id, id))`;
    return `
      select width_bucket(${at}, ${bounds}::timestamptz[]) - 1 as bucket, i.currency, ${group}::text as group_id,
        ${columns.join(', ')}
      from ${from}
      where ${of}.environment_id = $1 and ${at} >= (${bounds}::timestamptz[])[1] and ${at} < ${end}
        ${and} ${ofCustomer}
      group by 1, 2, 3`;
  });
  return `(${sums.join(' union all ')})`;
}

/** SQL: each sum of several cells; those of a group that nothing moved are 0. */
const SUMS = [
  ...AMOUNTS.map((name) => `coalesce(sum(${name}), 0) as ${name}`),
  ...COUNTS.map((name) => `sum(${name})::integer as ${name}`),
].join(', ');

/** SQL: what a cell added to the account `revenue`. */
const TOTAL = AMOUNTS.filter((name) => name !== 'tax')
  .map((name) => `coalesce(${name}, 0)`)
  .join(' + ');

/** SQL: the name of a group as the API has it, of the id in a cell. */
const NAMED = {
  customer: `left join customers g on g.environment_id = $1 and g.id = cell.group_id`,
  plan: `left join plans g on g.environment_id = $1 and g.id = cell.group_id`,
};
const GROUP_ID = { customer: 'g.external_id', plan: 'coalesce(g.key, g.id)' };

/** SQL: the cells `cell` as relation, with the ids of groups that the API has. */
function namedCells(query: RevenueQuery, parameter: Parameter): string {
  const { group_by } = query;
  const cells = cellsOf(query, parameter);
  return group_by === null
    ? `select bucket, currency, null as group_id, ${SUMS} from ${cells} as cell group by 1, 2`
    : `select cell.bucket, cell.currency, ${GROUP_ID[group_by]} as group_id, ${SUMS}
       from ${cells} as cell ${NAMED[group_by]} group by 1, 2, 3`;
}

const SHOWN = [...AMOUNTS.map((name) => `${name}::text as ${name}`), ...COUNTS].join(', ');

/**
 * Revenue in parts of a range, of all currencies; of those groups of a currency that have the greatest total, and of
 * all others together.
 */
export async function readRevenue(
  db: Db,
  query: RevenueQuery & { currency: string; groups: number },
): Promise<RevenueRow[]> {
  const { values, parameter } = createParameters([query.environment_id]);
  const cells = namedCells(query, parameter);
  const [currency, groups] = [parameter(query.currency), parameter(query.groups)];
  const { rows } = await db.query<RevenueRow>(
    `with cell as materialized (${cells}), ranked as (
       select group_id, row_number() over (order by sum(${TOTAL}) desc, group_id collate "C")::integer as place
       from cell where currency = ${currency} and group_id is not null group by group_id
     ), shown as (
       select cell.bucket, cell.currency, ranked.group_id, ranked.place, ${SUMS}
       from cell
       left join ranked on ranked.group_id = cell.group_id and cell.currency = ${currency} and ranked.place <= ${groups}
       group by 1, 2, 3, 4)
     select bucket, currency, group_id, place, ${SHOWN} from shown order by bucket, place nulls last`,
    values,
  );
  return rows;
}

/** A page of the groups of one part of a range in a currency, in the order of their ids. */
export async function listRevenueGroups(
  db: Db,
  query: RevenueQuery & { currency: string; after: string | null; limit: number },
): Promise<RevenueRow[]> {
  const { values, parameter } = createParameters([query.environment_id]);
  const cells = namedCells(query, parameter);
  const [currency, after] = [parameter(query.currency), parameter(query.after)];
  const { rows } = await db.query<RevenueRow>(
    `select bucket, currency, group_id, null::integer as place, ${SHOWN} from (${cells}) as cell
     where currency = ${currency} and coalesce(group_id > ${after}::text collate "C", true)
     order by group_id collate "C" limit ${parameter(query.limit)}`,
    values,
  );
  return rows;
}

/** Names of customers by external id, or of plans by key, those of the newest version; what has none is left out. */
export async function namesOfGroups(
  db: Db,
  environment_id: number,
  group_by: RevenueGrouping,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await db.query<{ id: string; name: string }>(NAMES[group_by], [environment_id, ids]);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

const NAMES = {
  customer: `
    select external_id as id, name from customers
    where environment_id = $1 and external_id = any($2) and name is not null`,
  plan: `
    select distinct on (1) coalesce(key, id) as id, name from plans
    where environment_id = $1 and (key = any($2) or key is null and id = any($2)) order by 1, version desc`,
};
