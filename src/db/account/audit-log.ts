import { oldestId } from '../../keys/ids.ts';
import type { AuditEntry } from '../../objects/audit-entry.ts';
import type { Db } from '../connection/pool.ts';

export type AuditFilter = {
  /** Any of them; also the payments and credit notes of an invoice. */
  object_ids: readonly string[] | null;
  /** The external id, also of a deleted customer, or our `cus_` id. */
  customer_id: string | null;
  /** An id or a type. */
  actor: string | null;
  action: string | null;
  from: string | null;
  to: string | null;
  /** True for people: users, sessions and passkeys are theirs, and of no environment. */
  with_account: boolean;
  /** False: without the beginnings and ends of sessions. */
  with_sign_ins: boolean;
};

/** The time of an id and `created_at` are read one after the other. */
const NEAR_MS = 60_000;

/** The lowest id of an instant and some milliseconds, so that the index finds a time among millions of acts. */
function idAt(instant: string, more_ms: number): string {
  return oldestId('aud', Math.max(0, Date.parse(instant) + more_ms));
}

/** SQL: why the act `a` was done, read from its object. */
const REASON = `case a.action
  when 'payment.reversed' then (select p.reversal_reason from payments p
    where p.environment_id = a.environment_id and p.id = a.object_id)
  when 'invoice.voided' then (select i.void_reason from invoices i
    where i.environment_id = a.environment_id and i.id = a.object_id)
  when 'credit_note.issued' then (select k.reason from credit_notes k
    where k.environment_id = a.environment_id and k.id = a.object_id)
  when 'credit_note.voided' then (select k.void_reason from credit_notes k
    where k.environment_id = a.environment_id and k.id = a.object_id)
  when 'balance_entry.created' then (select b.reason from balance_entries b
    where b.environment_id = a.environment_id and b.id = a.object_id)
  when 'month.opened' then (select m.open_reason from closed_months m
    where m.environment_id = a.environment_id and m.month = a.object_id
    and instant_text(m.opened_at) = a.after ->> 'opened_at') end`;

/** Acts of an environment, newest first, below the id `before`. */
export async function listAuditEntries(
  db: Db,
  environment_id: number,
  filter: AuditFilter & { before: string | null; limit: number },
): Promise<AuditEntry[]> {
  const { object_ids, customer_id, actor, action, from, to, with_account, before, limit } = filter;
  const { rows } = await db.query<AuditEntry>(
    `select a.id, 'audit_entry' as object, case when a.environment_id is not null then n.livemode end as livemode,
       a.action, split_part(a.action, '.', 1) as object_type, a.object_id,
       coalesce(c.external_id, a.customer_id) as customer_id, a.invoice_id,
       json_build_object('type', a.actor_type, 'id', a.actor_id, 'name', a.actor_name) as actor, a.before, a.after,
       ${REASON} as reason,
       a.request_id, a.address, a.created_at
     from environments n
     join audit_log a on a.environment_id = n.id or ($8 and a.environment_id is null and a.account_id = n.account_id)
     left join customers c on c.environment_id = a.environment_id and c.id = a.customer_id
     where n.id = $1
       and ($2::text[] is null or a.object_id = any($2) or a.invoice_id = any($2))
       and ($3::text is null or a.customer_id = any (array(
         select $3 union all
         select d.id from customers d where d.environment_id = $1 and d.external_id = $3 union all
         select g.object_id from audit_log g where g.environment_id = $1 and g.action = 'customer.deleted'
           and g.before ->> 'external_id' = $3)))
       and ($4::text is null or a.actor_id = $4 or a.actor_type = $4)
       and ($5::text is null or a.action = $5)
       and ($13::boolean or a.action not in ('session.created', 'session.revoked'))
       and ($6::timestamptz is null or a.created_at >= $6) and ($7::timestamptz is null or a.created_at < $7)
       and ($9::text is null or a.id < $9)
       and ($11::text is null or a.id >= $11) and ($12::text is null or a.id < $12)
     order by a.id desc limit $10`,
    [
      environment_id,
      object_ids,
      customer_id,
      actor,
      action,
      from,
      to,
      with_account,
      before,
      limit,
      from && idAt(from, -NEAR_MS),
      to && idAt(to, NEAR_MS),
      filter.with_sign_ins,
    ],
  );
  return rows;
}
