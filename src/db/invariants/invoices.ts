import { LINE_SUMS } from '../../domain/invoice/revenue.ts';
import { isCurrency, minorDigits } from '../../domain/money/money.ts';
import { contentHash } from '../invoicing/content-hash.ts';
import { SELECT, withLines, type InvoiceRow } from '../invoicing/invoices.ts';
import type { Invoice } from '../../objects/invoice.ts';
import type { Db } from '../connection/pool.ts';
import {
  byCode,
  bySql,
  codePart,
  firstFaults,
  missingIndex,
  type CheckOptions,
  type UnitFault,
} from './invariant.ts';
import { byEnvironment, unitParameters, unitsOf, type Unit } from './unit.ts';

const OF_INVOICE = 'i.environment_id = unit.environment_id and i.id = unit.id';

/** Sums of invoices, and that issued invoices have not changed. */
export const INVOICE_INVARIANTS = [
  byCode(
    'I8',
    'The line items add up to the subtotal and the credit used, of an issued invoice also by type to the sums that it keeps, the subtotal and the tax to the total; all amounts are whole minor units, and no total is below 0.',
    [codePart('invoice', wrongSums)],
  ),
  bySql('I9', 'An invoice has the currency of its customer and of its plan.', {
    invoice: [
      `select format('invoice %s', i.id) as "row",
         format('is in %s, customer %s in %s, plan %s in %s', i.currency, c.id, c.currency, p.id, p.currency) as what
       from invoices i
       join customers c on c.environment_id = i.environment_id and c.id = i.customer_id
       join plans p on p.environment_id = i.environment_id and p.id = i.plan_id
       where ${OF_INVOICE} and (i.currency <> c.currency or i.currency <> p.currency)`,
    ],
  }),
  bySql(
    'I10',
    'A subscription has at most one non-void invoice for each period, and one opening beside it, enforced by a unique index.',
    {
      subscription: [
        `select format('invoices %s of subscription %s', string_agg(id, ', ' order by id), subscription_id) as "row",
         format('bill the period from %s', period_start) as what
       from invoices where environment_id = unit.environment_id and subscription_id = unit.id and status <> 'void'
       group by environment_id, subscription_id, period_start, kind having count(*) > 1`,
      ],
      database: [
        missingIndex(
          'invoices',
          `(environment_id, subscription_id, period_start, kind) WHERE (status <> 'void'::text)`,
        ),
      ],
    },
  ),
  byCode(
    'I14',
    'The content of an issued invoice matches the hash stored when it was issued, and its logo is stored.',
    [codePart('invoice', changedInvoices)],
  ),
];

async function wrongSums(db: Db, units: readonly Unit[], { limit }: CheckOptions): Promise<UnitFault[]> {
  const { rows: used } = await db.query<{ currency: string }>(
    `with ${unitsOf('invoice')} select distinct i.currency from unit join invoices i on ${OF_INVOICE}`,
    unitParameters(units),
  );
  const digits = used
    .filter(({ currency }) => isCurrency(currency))
    .map(({ currency }) => ({ currency, digits: minorDigits(currency) }));
  return firstFaults(db, WRONG_SUMS, { kind: 'invoice', units, limit }, [JSON.stringify(digits)]);
}

/** SQL: pairs of the name of each sum of an issued invoice, and the sum of its lines `l`. */
const SUMS_BY_TYPE = Object.entries(LINE_SUMS)
  .map(([name, type]) => `'${name}', coalesce(sum(l.amount) filter (where l.type = '${type}'), 0)`)
  .join(', ');

const WRONG_SUMS = `
  select format('invoice %s', i.id) as "row",
    format('has subtotal %s, tax %s, total %s, credit %s, fees %s, usage %s, late usage %s, items %s, '
      'discounts %s, minimums %s; but its line items have the sum %s, with the tax %s, the credit %s, and by type %s',
      i.subtotal, i.tax_amount, i.total, i.credits_applied, i.fees, i.usage, i.late_usage, i.items, i.discounts,
      i.minimums, lines.amount,
      round(lines.amount * i.tax_rate / 100, m.digits), lines.credits_applied, lines.sums) as what
  from invoices i
  join jsonb_to_recordset($4) as m(currency text, digits integer) on m.currency = i.currency
  cross join lateral (
    select coalesce(sum(l.amount), 0) as amount, coalesce(sum(l.credits_applied), 0) as credits_applied,
      coalesce(bool_and(scale(l.amount) = m.digits), true) as is_whole,
      jsonb_build_object(${SUMS_BY_TYPE}) as sums
    from line_items l where l.environment_id = i.environment_id and l.invoice_id = i.id
  ) as lines
  where ${OF_INVOICE} and (lines.amount <> i.subtotal or lines.credits_applied <> i.credits_applied
    or round(lines.amount * i.tax_rate / 100, m.digits) <> i.tax_amount
    or i.subtotal + i.tax_amount <> i.total or i.total < 0
    or i.number is not null and lines.sums <> jsonb_build_object('fees', i.fees, 'usage', i.usage,
      'late_usage', i.late_usage, 'items', i.items, 'discounts', i.discounts, 'minimums', i.minimums)
    or not lines.is_whole or scale(i.subtotal) <> m.digits or scale(i.tax_amount) <> m.digits
    or scale(i.total) <> m.digits)`;

async function changedInvoices(db: Db, units: readonly Unit[]): Promise<UnitFault[]> {
  const faults: UnitFault[] = [];
  for (const [environment_id, ids] of byEnvironment(units)) {
    const invoices = await findInvoices(db, environment_id, ids);
    const { rows } = await db.query<{ id: string } & Seal>(
      `select id, encode(content_hash, 'hex') as hash, content_hash_version as version,
         logo_sha256 is null or exists (select from logos l
           where l.environment_id = i.environment_id and l.sha256 = i.logo_sha256) as has_logo
       from invoices i where environment_id = $1 and id = any($2)`,
      [environment_id, ids],
    );
    const seals = new Map(rows.map(({ id, ...seal }) => [id, seal]));
    for (const invoice of invoices) {
      const { id, number } = invoice;
      const what = number === null ? null : faultOf(invoice, seals.get(id)!);
      if (what !== null) faults.push({ unit: { environment_id, id }, row: `invoice ${id}, ${number}`, what });
    }
  }
  return faults;
}

/** The parts of an issued invoice beside its content. */
type Seal = { hash: string | null; version: number; has_logo: boolean };

function faultOf(invoice: Invoice, { hash, version, has_logo }: Seal): string | null {
  if (contentHash(invoice, version).toString('hex') !== hash) return 'has changed since it was issued';
  return has_logo ? null : 'has a logo that is not stored';
}

async function findInvoices(db: Db, environment_id: number, ids: readonly string[]): Promise<Invoice[]> {
  const { rows } = await db.query<InvoiceRow>(
    `${SELECT} where i.environment_id = $1 and i.id = any($2) order by i.id`,
    [environment_id, ids],
  );
  return withLines(db, rows);
}
