import { bySql } from './invariant.ts';

/** SQL: whether a row with an id is as old as the audit log, and lacks the entry of an act on it. */
const lacks = (id: string, action: string) =>
  `substr(${id}, strpos(${id}, '_') + 1) > (select substr(min(id), 5) from audit_log)
         and not exists (select from audit_log a where a.object_id = ${id} and a.action = ${action})`;

const WHAT = (action: string) => `format('has no entry %s in the audit log', ${action})`;

/** The entries of the audit log, which triggers write. */
export const AUDIT_INVARIANTS = [
  bySql(
    'I52',
    'The audit log has an entry of each issue and void of an invoice, of each credit note, payment, transfer and credit grant, and of each month that was closed or opened, since it has its first one.',
    {
      invoice: [
        `select format('invoice %s', i.id) as "row", ${WHAT('act.action')} as what
         from invoices i
         cross join lateral (values ('invoice.issued', i.issued_at), ('invoice.voided', i.voided_at)) as act(action, at)
         where i.environment_id = unit.environment_id and i.id = unit.id and act.at is not null
         and ${lacks('i.id', 'act.action')}`,
        `select format('credit note %s', k.id) as "row", ${WHAT('act.action')} as what
         from credit_notes k
         cross join lateral (values ('credit_note.issued', k.issued_at), ('credit_note.voided', k.voided_at))
           as act(action, at)
         where k.environment_id = unit.environment_id and k.invoice_id = unit.id and act.at is not null
         and ${lacks('k.id', 'act.action')}`,
      ],
      customer: [
        `select format('payment %s', p.id) as "row", ${WHAT("'payment.recorded'")} as what
         from payments p
         where p.environment_id = unit.environment_id and p.customer_id = unit.id
         and ${lacks('p.id', "'payment.recorded'")}`,
        `select format('transfer %s', t.id) as "row", ${WHAT("'transfer.recorded'")} as what
         from transfers t
         where t.environment_id = unit.environment_id and t.customer_id = unit.id
         and ${lacks('t.id', "'transfer.recorded'")}`,
      ],
      grant: [
        `select format('credit grant %s', g.id) as "row", ${WHAT("'credit_grant.created'")} as what
         from credit_grants g
         where g.environment_id = unit.environment_id and g.id = unit.id
         and ${lacks('g.id', "'credit_grant.created'")}`,
      ],
      closed_month: [
        `select format('closed month %s', m.month) as "row", ${WHAT('act.action')} as what
         from closed_months m
         cross join lateral (values ('month.closed', 'closed_at', m.closed_at),
           ('month.opened', 'opened_at', m.opened_at)) as act(action, member, at)
         where m.environment_id = unit.environment_id and m.id = unit.id and act.at is not null
         and not exists (
           select from audit_log a where a.environment_id = m.environment_id and a.object_id = m.month
             and a.action = act.action and a.after ->> act.member = instant_text(act.at))`,
      ],
    },
  ),
];
