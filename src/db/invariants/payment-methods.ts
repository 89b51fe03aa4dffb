import { bySql } from './invariant.ts';

/** Invariants of what a customer has at a provider. */
export const PAYMENT_METHOD_INVARIANTS = [
  bySql(
    'I66',
    'A payment method that is not removed, and a page that is open, are of a provider that is not deleted.',
    {
      customer: [
        `select format('payment method %s', m.id) as "row",
         format('is %s, and its provider %s is deleted', m.status, m.provider_id) as what
       from payment_methods m
       join payment_providers p on p.environment_id = m.environment_id and p.id = m.provider_id
       where m.environment_id = unit.environment_id and m.customer_id = unit.id
         and m.status <> 'removed' and p.deleted_at is not null`,
        `select format('payment page %s', g.id) as "row",
         format('is open, and its provider %s is deleted', g.provider_id) as what
       from payment_pages g
       join payment_providers p on p.environment_id = g.environment_id and p.id = g.provider_id
       where g.environment_id = unit.environment_id and g.customer_id = unit.id
         and g.status = 'open' and p.deleted_at is not null`,
      ],
    },
  ),
];
