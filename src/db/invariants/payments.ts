import { byCode, bySql, codePart, type UnitFault } from './invariant.ts';
import { creditNotesOf, hashOfCreditNote } from '../invoicing/credit-notes.ts';
import type { Db } from '../connection/pool.ts';
import { byEnvironment, type Unit } from './unit.ts';

const OF_INVOICE = 'i.environment_id = unit.environment_id and i.id = unit.id';
const NOTE_OF_INVOICE = 'k.environment_id = unit.environment_id and k.invoice_id = unit.id';

/**
 * SQL: faults of the payments `p` whose entries are not what they gave to the balance, or are more than what their
 * reversal took back.
 */
const givenByPayments = (condition: string) =>
  `select format('payment %s', p.id) as "row",
         format('gives %s to the balance, but its entries add up to %s, and %s are due again', p.to_balance,
           coalesce(sum(b.amount) filter (where b.type <> 'unapplied'), 0),
           coalesce(sum(b.amount) filter (where b.type = 'unapplied'), 0)) as what
       from payments p
       left join balance_entries b on b.environment_id = p.environment_id and b.payment_id = p.id
       where ${condition}
       group by p.environment_id, p.id
       having coalesce(sum(b.amount) filter (where b.type <> 'unapplied'), 0)
           <> case when p.reversed_at is not null then 0 else p.to_balance end
         or coalesce(sum(b.amount) filter (where b.type = 'unapplied'), 0)
           > case when p.reversed_at is not null then p.to_balance else 0 end`;

/** Agreement of invoices with their payments and credit notes, and the balances of customers. */
export const PAYMENT_INVARIANTS = [
  bySql(
    'I36',
    'The payments of an invoice that were not reversed add up to its amount paid, and all are of its customer.',
    {
      invoice: [
        `select format('invoice %s', i.id) as "row",
         format('is %s with %s paid, but its payments add up to %s', i.status, i.amount_paid,
           coalesce(sum(p.amount - p.to_balance), 0)) as what
       from invoices i
       left join payments p on p.environment_id = i.environment_id and p.invoice_id = i.id and p.reversed_at is null
       where ${OF_INVOICE}
       group by i.environment_id, i.id
       having i.amount_paid <> coalesce(sum(p.amount - p.to_balance), 0)`,
        `select format('payment %s', p.id) as "row",
         format('is of customer %s, but its invoice %s is of customer %s', p.customer_id, i.id, i.customer_id) as what
       from invoices i join payments p on p.environment_id = i.environment_id and p.invoice_id = i.id
       where ${OF_INVOICE} and p.customer_id <> i.customer_id`,
      ],
    },
  ),
  bySql('I37', 'The balance of a customer is the sum of its entries and never below 0 after an entry.', {
    customer: [
      `select format('customer %s', c.id) as "row",
         format('has a balance of %s, but its entries add up to %s', c.balance, coalesce(sum(b.amount), 0)) as what
       from customers c
       left join balance_entries b on b.environment_id = c.environment_id and b.customer_id = c.id
       where c.environment_id = unit.environment_id and c.id = unit.id
       group by c.environment_id, c.id
       having c.balance <> coalesce(sum(b.amount), 0)`,
      `select format('balance entry %s of customer %s', id, customer_id) as "row", format('leaves %s', balance) as what
       from (
         select id, customer_id, sum(amount) over (order by position) as balance
         from balance_entries where environment_id = unit.environment_id and customer_id = unit.id) as running
       where balance < 0`,
    ],
  }),
  bySql(
    'I38',
    'What an invoice has from the balance, now and at its issue, and what credit notes and payments give to it and take back has equal entries of the same customer.',
    {
      invoice: [
        `select format('invoice %s', i.id) as "row",
         format('is %s with %s from the balance, %s at the issue, but its entries add up to %s, at the issue to %s',
           i.status, i.balance_applied, i.balance_at_issue, coalesce(-sum(b.amount), 0),
           coalesce(-sum(b.amount) filter (where b.type = 'applied' and b.created_by is null), 0)) as what
       from invoices i
       left join balance_entries b on b.environment_id = i.environment_id and b.invoice_id = i.id
         and b.type in ('applied', 'returned', 'unapplied')
       where ${OF_INVOICE}
       group by i.environment_id, i.id
       having i.balance_applied <> coalesce(-sum(b.amount), 0) or i.balance_applied < 0 or i.balance_at_issue
         <> coalesce(-sum(b.amount) filter (where b.type = 'applied' and b.created_by is null), 0)`,
        `select format('credit note %s', k.id) as "row",
         format('is %s with %s to the balance, but its entries add up to %s, and %s are due again', k.status,
           k.to_balance, coalesce(sum(b.amount) filter (where b.type <> 'unapplied'), 0),
           coalesce(sum(b.amount) filter (where b.type = 'unapplied'), 0)) as what
       from credit_notes k
       left join balance_entries b on b.environment_id = k.environment_id and b.credit_note_id = k.id
       where ${NOTE_OF_INVOICE}
       group by k.environment_id, k.id
       having coalesce(sum(b.amount) filter (where b.type <> 'unapplied'), 0)
           <> case when k.status = 'void' then 0 else k.to_balance end
         or coalesce(sum(b.amount) filter (where b.type = 'unapplied'), 0)
           > case when k.status = 'void' then k.to_balance else 0 end`,
        givenByPayments('p.environment_id = unit.environment_id and p.invoice_id = unit.id'),
        `select format('balance entry %s', b.id) as "row",
         format('is of customer %s, but names invoice %s of customer %s', b.customer_id, i.id, i.customer_id) as what
       from invoices i join balance_entries b on b.environment_id = i.environment_id and b.invoice_id = i.id
       where ${OF_INVOICE} and i.customer_id <> b.customer_id`,
      ],
      customer: [
        givenByPayments(
          'p.environment_id = unit.environment_id and p.customer_id = unit.id and p.invoice_id is null',
        ),
      ],
    },
  ),
  bySql(
    'I39',
    'The credit notes of an invoice that stand take off it what it says, of each line, also of one below 0, and of the invoice no more than it has, their lines add up, and an automatic one is void with the invoice whose late lines it settles.',
    {
      invoice: [
        `select format('invoice %s', i.id) as "row",
         format('is %s with %s credited, net %s, tax %s, of subtotal %s and tax %s; its credit notes take off %s',
           i.status, i.credited, coalesce(sum(k.subtotal), 0), coalesce(sum(k.tax_amount), 0), i.subtotal, i.tax_amount,
           coalesce(sum(k.to_invoice), 0)) as what
       from invoices i
       left join credit_notes k on k.environment_id = i.environment_id and k.invoice_id = i.id and k.status = 'issued'
       where ${OF_INVOICE}
       group by i.environment_id, i.id
       having i.credited <> coalesce(sum(k.to_invoice), 0) or coalesce(sum(k.subtotal), 0) > i.subtotal
         or coalesce(sum(k.tax_amount), 0) > i.tax_amount or (i.status in ('draft', 'void') and count(k.id) > 0)`,
        `select format('line item %s', l.id) as "row",
           format('has the amount %s, but %s is credited', l.amount, sum(x.amount)) as what
       from credit_notes k
       join credit_note_lines x on x.environment_id = k.environment_id and x.credit_note_id = k.id
       join line_items l on l.environment_id = x.environment_id and l.id = x.line_item_id
       where ${NOTE_OF_INVOICE} and k.status = 'issued'
       group by l.environment_id, l.id
       having sum(x.amount) not between least(l.amount, 0) and greatest(l.amount, 0)`,
        `select format('credit note %s', k.id) as "row",
         format('has the subtotal %s of invoice %s, but its lines add up to %s, %s of them on that invoice', k.subtotal,
           k.invoice_id, coalesce(sum(x.amount), 0), count(l.id)) as what
       from credit_notes k
       left join credit_note_lines x on x.environment_id = k.environment_id and x.credit_note_id = k.id
       left join line_items l on l.environment_id = x.environment_id and l.id = x.line_item_id
         and l.invoice_id = k.invoice_id
       where ${NOTE_OF_INVOICE}
       group by k.environment_id, k.id
       having k.subtotal <> coalesce(sum(x.amount), 0) or count(l.id) <> count(*)`,
        `select format('credit note %s', k.id) as "row",
         format('stands, but the invoice %s, whose late lines it settles, is void', i.id) as what
       from credit_notes k
       join invoices i on i.environment_id = k.environment_id and i.id = k.cause_invoice_id
       where k.environment_id = unit.environment_id and unit.id in (k.invoice_id, k.cause_invoice_id)
         and i.status = 'void' and k.status = 'issued'`,
      ],
    },
  ),
  bySql(
    'I40',
    'Credit note numbers run from 1 to the last issued number, without gaps except those with a recorded reason.',
    {
      numbers: [
        `select format('environment %s, credit note number %s', n.id, wanted) as "row",
           'was issued to no credit note' as what
       from environments n
       cross join lateral generate_series(unit.first, least(unit.last, n.last_credit_note_number)) as wanted
       where n.id = unit.environment_id
         and not exists (
           select from credit_note_number_gaps g
           where g.environment_id = n.id and wanted between g.number_from and g.number_to)
         and not exists (select from credit_notes k where k.environment_id = n.id and k.number = wanted)`,
      ],
      invoice: [
        `select format('credit note %s', k.id) as "row",
         format('has number %s, but the last issued number is %s', k.number, n.last_credit_note_number) as what
       from credit_notes k join environments n on n.id = k.environment_id
       where ${NOTE_OF_INVOICE} and (k.number > n.last_credit_note_number or k.number < 1)`,
        `select format('credit note %s', id) as "row",
           format('has number %s, but shows %s', number, full_number) as what
       from credit_notes k
       where ${NOTE_OF_INVOICE} and full_number <> 'CN-' || lpad(number::text, greatest(6, length(number::text)), '0')`,
      ],
      database: [
        `select format('credit note %s', k.id) as "row",
           format('has number %s, which is recorded as skipped: %s', k.number, g.reason) as what
       from credit_note_number_gaps g
       join credit_notes k on k.environment_id = g.environment_id and k.number between g.number_from and g.number_to`,
        `select format('environment %s, credit notes %s to %s', environment_id, number_from, number_to) as "row",
         format('were skipped at %s', created_at) as what, reason as exception
       from credit_note_number_gaps order by environment_id, number_from`,
      ],
    },
  ),
  bySql(
    'I54',
    'The payments of a transfer, reversed or not, add up to its amount, and are of its customer, with its reference and its time.',
    {
      customer: [
        `select format('transfer %s', t.id) as "row",
         format('of %s has payments of %s, %s of them with another customer, reference or time', t.amount,
           coalesce(sum(p.amount), 0), count(p.id) filter (where differs.so)) as what
       from transfers t
       left join payments p on p.environment_id = t.environment_id and p.transfer_id = t.id
       cross join lateral (select p.customer_id <> t.customer_id or p.reference is distinct from t.reference
         or p.paid_at <> t.paid_at as so) as differs
       where t.environment_id = unit.environment_id and t.customer_id = unit.id
       group by t.environment_id, t.id
       having t.amount <> coalesce(sum(p.amount), 0) or count(p.id) filter (where differs.so) > 0`,
      ],
    },
  ),
  byCode('I41', 'The content of a credit note matches the hash stored when it was issued.', [
    codePart('invoice', changedCreditNotes),
  ]),
];

async function changedCreditNotes(db: Db, units: readonly Unit[]): Promise<UnitFault[]> {
  const faults: UnitFault[] = [];
  for (const [environment_id, ids] of byEnvironment(units)) {
    const notes = await creditNotesOf(db, environment_id, ids);
    const { rows } = await db.query<{ id: string; hash: string | null }>(
      `select id, encode(content_hash, 'hex') as hash from credit_notes where environment_id = $1 and id = any($2)`,
      [environment_id, notes.map(({ id }) => id)],
    );
    const hashes = new Map(rows.map(({ id, hash }) => [id, hash]));
    for (const note of notes)
      if (hashOfCreditNote(note).toString('hex') !== hashes.get(note.id))
        faults.push({
          unit: { environment_id, id: note.invoice_id },
          row: `credit note ${note.id}, ${note.number}`,
          what: 'has changed since it was issued',
        });
  }
  return faults;
}
