import { bySql } from './invariant.ts';

/** Invariants of what a customer has at a provider. */
export const PAYMENT_METHOD_INVARIANTS = [
  bySql('I65', 'A payment method that is not removed is of a provider that is not deleted.', {
    customer: [
      `select format('payment method %s', m.id) as "row",
         format('is %s, and its provider %s is deleted', m.status, m.provider_id) as what
       from payment_methods m
       join payment_providers p on p.environment_id = m.environment_id and p.id = m.provider_id
       where m.environment_id = unit.environment_id and m.customer_id = unit.id
         and m.status <> 'removed' and p.deleted_at is not null`,
    ],
  }),
];
