-- An end in a period that is billed (billing.md 1): the last invoice of a subscription may begin where a billed period began that the end has left out.
drop index invoices_period;
create unique index invoices_period on invoices (environment_id, subscription_id, period_start, kind)
  where status <> 'void';
