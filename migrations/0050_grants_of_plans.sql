-- Credit for some events or one subscription, and credit that comes with a plan (billing.md 4).
alter table plans add column grants jsonb not null default '[]';

alter table credit_grants
  add column event_names jsonb,
  add column subscription_id text collate "C",
  add column note text,
  add column carry_over_max numeric,
  add column carry_over_until timestamptz(3),
  -- Of a plan's grant: the full period that has it, and its place in the plan's list.
  add column full_period_start timestamptz(3),
  add column place integer,
  add constraint credit_grants_subscription_fkey foreign key (environment_id, subscription_id)
    references subscriptions (environment_id, id),
  add constraint credit_grants_carry_over_check check (carry_over_max > 0 and carry_over_max <= amount),
  add constraint credit_grants_of_plan_check check ((full_period_start is null) = (place is null)
    and (place is null or subscription_id is not null));
create unique index credit_grants_of_plan on credit_grants (environment_id, subscription_id, full_period_start, place)
  where place is not null and voided_at is null;

-- A grant that carries over expires with the full period after its own.
drop index credit_grants_to_tell;
create index credit_grants_to_tell on credit_grants
  (environment_id, (case when carry_over_max is null then expires_at else carry_over_until end))
  where expiry_told_at is null and voided_at is null;

-- src/db/changes/watched-columns.ts has the same list.
drop trigger logged on credit_grants;
create trigger logged after insert or delete or update on credit_grants for each row execute function log_row_change(
  'id', 'customer_id', 'remaining', 'expires_at', 'carry_over_until', 'voided_at', 'expiry_told_at');
alter table credit_grants enable always trigger logged;
