import type { RevenueGrouping } from '../../objects/revenue.ts';
import { createParameters, type Parameter } from '../connection/parameters.ts';
import type { Db } from '../connection/pool.ts';

/** The sums of one group in one part of the range. */
export type RevenueRow = {
  /** Place of the part in `starts`. */
  bucket: number;
  currency: string;
  /** Our id of a customer, or the key of a plan, else its id; null for all that are not shown by themselves. */
  group_id: string | null;
  /** Order of the groups, from 1; null for all others. */
  place: number | null;
} & RevenueSums;

const AMOUNTS = [
  'fees',
  'usage',
  'late_usage',
  'items',
  'discounts',
  'minimums',
  'voided',
  'credited',
  'tax',
] as const;
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

type Figure = (typeof AMOUNTS)[number] | (typeof COUNTS)[number];

/** A movement: its rows, with the invoice `i`, when it is booked, and what the rows of a group add up to. */
type Source = { from: string; at: string; of: 'i' | 'x'; and?: string; total: string } & Partial<
  Record<Figure, string>
>;

const NOTES = `credit_notes x
    join invoices i on i.environment_id = x.environment_id and i.id = x.invoice_id`;

/** SQL of each movement of the accounts `revenue` (`total`) and `tax_payable`, as journal.ts has them. */
const SOURCES: readonly Source[] = [
  {
    from: 'invoices i',
    at: 'i.issued_at',
    of: 'i',
    total: 'sum(i.fees + i.usage + i.late_usage + i.items + i.discounts + i.minimums)',
    fees: 'sum(i.fees)',
    usage: 'sum(i.usage)',
    late_usage: 'sum(i.late_usage)',
    items: 'sum(i.items)',
    discounts: 'sum(i.discounts)',
    minimums: 'sum(i.minimums)',
    tax: 'sum(i.tax_amount)',
    invoices: 'count(*)',
  },
  {
    from: 'invoices i',
    at: 'i.voided_at',
    of: 'i',
    and: 'and i.number is not null',
    total: '-sum(i.subtotal)',
    voided: '-sum(i.subtotal)',
    tax: '-sum(i.tax_amount)',
  },
  {
    from: NOTES,
    at: 'x.issued_at',
    of: 'x',
    total: '-sum(x.subtotal)',
    credited: '-sum(x.subtotal)',
    tax: '-sum(x.tax_amount)',
    credit_notes: 'count(*)',
  },
  {
    from: NOTES,
    at: 'x.voided_at',
    of: 'x',
    total: 'sum(x.subtotal)',
    credited: 'sum(x.subtotal)',
    tax: 'sum(x.tax_amount)',
  },
];

type Asked = {
  /** SQL of the half-open range, and of a group of rows. */
  from: string;
  to: string;
  group: string;
  join?: string;
  and?: string;
  columns: readonly ('total' | Figure)[];
};

/** SQL: the movements of the environment $1 in a range, added up by currency and group. */
function movedIn({ from, to, group, join = '', and = '', columns }: Asked): string {
  const sources = SOURCES.map(
    (source) => `
      select i.currency, ${group} as member, ${columns.map((name) => `${source[name] ?? '0'} as ${name}`).join(', ')}
      from ${source.from} ${join}
      where ${source.of}.environment_id = $1 and ${source.at} >= ${from} and ${source.at} < ${to}
        ${source.and ?? ''} ${and}
      group by 1, 2`,
  );
  return `(${sources.join(' union all ')})`;
}

/** SQL: that the invoice `i` is of the customer of a query, if it asks for one. */
function ofCustomer({ customer_id }: RevenueQuery, parameter: Parameter): string {
  if (customer_id === null) return '';
  const customer = parameter(customer_id);
  return `and i.customer_id in (
        select id from customers where environment_id = $1 and ${customer} in (external_id, id))`;
}

const FIGURES = [...AMOUNTS, ...COUNTS];

/** SQL: each figure of several sums, as a RevenueRow has it. */
const SUMS = [
  ...AMOUNTS.map((name) => `coalesce(sum(${name}), 0)::text as ${name}`),
  ...COUNTS.map((name) => `sum(${name})::integer as ${name}`),
].join(', ');

/** SQL: the plan `p` that counts for the plan `of_invoice`: of a custom plan its base. */
const COUNTED = 'p.environment_id = $1 and p.id = coalesce(of_invoice.based_on, of_invoice.id)';

/** SQL: the id of a group, of the `member` that an invoice names, and the invoices of a group. */
const GROUPS = {
  customer: { id: 'member', join: '', members: 'select group_id as id, place from ranked' },
  plan: {
    id: 'coalesce(p.key, p.id)',
    join: `join plans of_invoice on of_invoice.environment_id = $1 and of_invoice.id = member
       join plans p on ${COUNTED}`,
    members: `select of_invoice.id, r.place from ranked r
       join plans p on p.environment_id = $1 and coalesce(p.key, p.id) = r.group_id
       join plans of_invoice on of_invoice.environment_id = $1 and coalesce(of_invoice.based_on, of_invoice.id) = p.id`,
  },
};

/**
 * Revenue in parts of a range, of all currencies; of those groups of a currency that have the greatest total, and of
 * all others together. Each part is added up for itself, by the index of its time.
 */
export async function readRevenue(
  db: Db,
  query: RevenueQuery & { currency: string; groups: number },
): Promise<RevenueRow[]> {
  const { group_by, starts, to } = query;
  const { values, parameter } = createParameters([query.environment_id]);
  const bounds = `${parameter([...starts, to])}::timestamptz[]`;
  const [currency, groups] = [parameter(query.currency), parameter(query.groups)];
  const and = ofCustomer(query, parameter);
  const { id, join, members } = GROUPS[group_by ?? 'customer'];
  const whole = movedIn({
    from: `(${bounds})[1]`,
    to: `(${bounds})[${starts.length + 1}]`,
    group: `i.${group_by ?? 'customer'}_id`,
    and: `${and} and i.currency = ${currency} and ${groups} > 0`,
    columns: ['total'],
  });
  const parts = movedIn({
    from: 'b.starts_at',
    to: 'b.ends_at',
    ...(group_by === null
      ? { group: 'null::integer' }
      : {
          group: 'm.place',
          join: `left join member m on m.id = i.${group_by}_id and i.currency = ${currency}`,
        }),
    and,
    columns: FIGURES,
  });
  const { rows } = await db.query<RevenueRow>(
    `with ranked as materialized (
       select group_id, row_number() over (order by total desc, group_id collate "C")::integer as place from (
         select ${id} as group_id, sum(total) as total from ${whole} as moved ${join}
         group by 1 order by 2 desc, 1 limit ${groups}) as greatest
     ), member as materialized (${members}),
     bucket as (
       select n - 1 as bucket, (${bounds})[n] as starts_at, (${bounds})[n + 1] as ends_at
       from generate_series(1, ${starts.length}) as n
     )
     select b.bucket, moved.currency, ranked.group_id, ranked.place, ${SUMS}
     from bucket b cross join lateral ${parts} as moved left join ranked on ranked.place = moved.member
     group by 1, 2, 3, 4 order by 1, 4 nulls last`,
    values,
  );
  return rows;
}

/** A page of the groups of one part of a range in a currency, in the order of their ids. */
export async function listRevenueGroups(
  db: Db,
  query: RevenueQuery & {
    group_by: RevenueGrouping;
    currency: string;
    after: string | null;
    limit: number;
  },
): Promise<RevenueRow[]> {
  const { values, parameter } = createParameters([query.environment_id]);
  const { id, join } = GROUPS[query.group_by];
  const moved = movedIn({
    from: `${parameter(query.starts[0])}::timestamptz`,
    to: `${parameter(query.to)}::timestamptz`,
    group: `i.${query.group_by}_id`,
    and: `${ofCustomer(query, parameter)} and i.currency = ${parameter(query.currency)}`,
    columns: FIGURES,
  });
  const { rows } = await db.query<RevenueRow>(
    `select 0 as bucket, moved.currency, ${id} as group_id, null::integer as place, ${SUMS}
     from ${moved} as moved ${join}
     where coalesce(${id} > ${parameter(query.after)}::text collate "C", true)
     group by 2, 3 order by ${id} collate "C" limit ${parameter(query.limit)}`,
    values,
  );
  return rows;
}

/** A group as the API names it: a customer by its external id, a plan by its key, with the name of its newest one. */
type NamedGroup = { group_id: string; id: string; name: string | null };

/** The names of groups by their ids in a RevenueRow. */
export async function namesOfGroups(
  db: Db,
  environment_id: number,
  group_by: RevenueGrouping,
  ids: readonly string[],
): Promise<Map<string, Pick<NamedGroup, 'id' | 'name'>>> {
  const { rows } = await db.query<NamedGroup>(NAMES[group_by], [environment_id, ids]);
  return new Map(rows.map(({ group_id, ...group }) => [group_id, group]));
}

const NAMES = {
  customer: `
    select id as group_id, external_id as id, name from customers where environment_id = $1 and id = any($2)`,
  plan: `
    select distinct on (1) coalesce(key, id) as group_id, coalesce(key, id) as id, name from plans
    where environment_id = $1 and coalesce(key, id) = any($2) order by 1, version desc`,
};
