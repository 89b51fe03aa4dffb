import { bySql } from './invariant.ts';

const OF_CUSTOMER = 'e.environment_id = unit.environment_id and e.customer_id = unit.id';

/** SQL: the first email with an object that a server took. */
const firstSent = (kind: string, object: string) => `(
           select min(e.sent_at) from emails e
           where e.environment_id = ${object}.environment_id and e.object_id = ${object}.id and e.kind = '${kind}'
             and e.status = 'sent')`;

/** One email a reason, what is stored of one that left, and what a reminder names. */
export const EMAIL_INVARIANTS = [
  bySql(
    'I60',
    'An email has a reason of its own, of its kind and its object, the first one if it goes out by itself, or that of a day if it reminds, and its Message-ID is made of it.',
    {
      customer: [
        `select format('email %s', e.id) as "row",
         format('is of kind %s about %s, with the reason %s and the Message-ID %s', e.kind, e.object_id, e.reason,
           e.message_id) as what
       from emails e
       where ${OF_CUSTOMER}
         and (split_part(e.reason, '.', 1) <> e.kind or split_part(e.reason, '.', 2) <> e.object_id
           or (e.created_by is null and split_part(e.reason, '.', 3) !~ case e.kind
             when 'reminder' then '^\\d{4}-\\d\\d-\\d\\d$' else '^$' end)
           or not starts_with(e.message_id, format('<%s@', e.reason)))`,
      ],
    },
  ),
  bySql(
    'I61',
    'An email that is sent, and no other one, has an instant of that; it has an address that a server took, a Message-ID and, unless they were erased, subject and text.',
    {
      customer: [
        `select format('email %s', e.id) as "row",
         format('is %s after %s tries, at %s, with the Message-ID %s, to %s', e.status, e.attempts, e.sent_at,
           e.message_id, e."to") as what
       from emails e
       where ${OF_CUSTOMER}
         and ((e.status = 'sent') <> (e.sent_at is not null)
           or (e.status = 'sent' and (e.attempts = 0 or e.message_id is null
             or coalesce(e."to", '[]') @> '[{"status": "sent"}]' is false
             or ((e.subject is null or e.text is null) and not exists (
               select from redactions r
               where r.environment_id = e.environment_id and r.customer_id = e.customer_id)))))`,
      ],
    },
  ),
  bySql(
    'I62',
    'An invoice and a credit note have the instant of the first email with them that a server took.',
    {
      invoice: [
        `select format('invoice %s', i.id) as "row",
         format('was sent at %s, but its first email at %s', i.sent_at, ${firstSent('invoice', 'i')}) as what
       from invoices i
       where i.environment_id = unit.environment_id and i.id = unit.id
         and i.sent_at is distinct from ${firstSent('invoice', 'i')}`,
        `select format('credit note %s', k.id) as "row",
         format('was sent at %s, but its first email at %s', k.sent_at, ${firstSent('credit_note', 'k')}) as what
       from credit_notes k
       where k.environment_id = unit.environment_id and k.invoice_id = unit.id
         and k.sent_at is distinct from ${firstSent('credit_note', 'k')}`,
      ],
    },
  ),
  bySql('I63', 'A reminder is about its customer, and names invoices of this customer, one at least.', {
    customer: [
      `select format('email %s', e.id) as "row",
         format('reminds %s of %s', e.object_id, e.invoice_ids) as what
       from emails e
       where ${OF_CUSTOMER} and e.kind = 'reminder'
         and (e.object_id <> e.customer_id or e.invoice_ids = '{}' or exists (
           select from unnest(e.invoice_ids) as named(id)
           where not exists (
             select from invoices i
             where i.environment_id = e.environment_id and i.id = named.id and i.customer_id = e.customer_id)))`,
    ],
  }),
  bySql(
    'I64',
    'A reminder that goes out by itself is of a day on which a step of each of its invoices may be due: 30 days before its due date to 92 after it.',
    {
      customer: [
        `select format('email %s', e.id) as "row",
         format('reminds on %s of %s, which is due on %s', split_part(e.reason, '.', 3), i.full_number,
           i.due_date) as what
       from emails e
       join invoices i on i.environment_id = e.environment_id and i.id = any(e.invoice_ids)
       where ${OF_CUSTOMER} and e.kind = 'reminder' and e.created_by is null
         and e.reason ~ '\\.\\d{4}-\\d\\d-\\d\\d$'
         and split_part(e.reason, '.', 3)::date not between i.due_date - 30 and i.due_date + 92`,
      ],
    },
  ),
];
