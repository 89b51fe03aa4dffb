-- How fees in advance pass from one plan to the next, whether a change begins the cycle anew, and what becomes of the credit that the plan before
-- gave for its last period (billing.md 1, 4 and 10).
alter table plan_changes
  add column proration text not null default 'exact' check (proration in ('exact', 'none', 'full')),
  add column cycle text not null default 'keep' check (cycle in ('keep', 'restart')),
  add column take_back_grants boolean not null default false;
alter table plan_migrations
  add column proration text not null default 'exact' check (proration in ('exact', 'none', 'full')),
  add column cycle text not null default 'keep' check (cycle in ('keep', 'restart'));

-- A change in place of another one at the same instant is an act too.
drop trigger audited on plan_changes;
create trigger audited after insert or delete or update of plan_id, settle, proration, cycle, take_back_grants on plan_changes
  for each row execute function audit_row('{
  "object": "subscription", "insert": "updated", "delete": "updated", "update": "updated", "id": "subscription_id",
  "members": ["plan_id", "at", "settle", "proration", "cycle", "take_back_grants"]}');
