import { IS_OF_PERIOD } from '../subscriptions/periods.ts';
import { bySql } from './invariant.ts';

/** Invariants about the rows that must stay of events that left for the archive. */
export const ARCHIVE_INVARIANTS = [
  bySql(
    'I45',
    'Events are archived only where they are billed for good: what begins before has an open or paid invoice, and a record of its events.',
    {
      invoice: [
        `select format('invoice %s', i.id) as "row",
           format('is %s, but the events of its customer before %s are archived', i.status, c.archived_to) as what
         from invoices i join customers c on c.environment_id = i.environment_id and c.id = i.customer_id
         where i.environment_id = unit.environment_id and i.id = unit.id and i.status = 'draft'
           and i.period_start < c.archived_to`,
        `select format('line item %s', l.id) as "row",
           format('has no record of its events, which are archived up to %s', c.archived_to) as what
         from invoices i
         join customers c on c.environment_id = i.environment_id and c.id = i.customer_id
         join line_items l on l.environment_id = i.environment_id and l.invoice_id = i.id
           and l.full_period_start < c.archived_to
         join line_item_spans p on p.environment_id = l.environment_id and p.line_item_id = l.id and p.position = 0
         where i.environment_id = unit.environment_id and i.id = unit.id and not exists (
           select from archived_lines a where a.environment_id = l.environment_id and a.line_item_id = l.id)`,
      ],
      subscription: [
        `select format('period of subscription %s from %s', p.subscription_id, p.period_start) as "row",
           format('has no open or paid invoice, but events before %s are archived', c.archived_to) as what
         from periods p
         join subscriptions s on s.environment_id = p.environment_id and s.id = p.subscription_id
         join customers c on c.environment_id = s.environment_id and c.id = s.customer_id
         where p.environment_id = unit.environment_id and p.subscription_id = unit.id and p.kind = 'billing'
           and p.period_start < c.archived_to and not exists (
             select from invoices i where ${IS_OF_PERIOD} and i.status in ('open', 'paid'))`,
      ],
    },
  ),
];
