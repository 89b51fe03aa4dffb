-- How fees in advance pass from one plan to the next, and whether a change begins the cycle anew (billing.md 1 and 10).
alter table plan_changes
  add column proration text not null default 'exact' check (proration in ('exact', 'none', 'full')),
  add column cycle text not null default 'keep' check (cycle in ('keep', 'restart'));
alter table plan_migrations
  add column proration text not null default 'exact' check (proration in ('exact', 'none', 'full')),
  add column cycle text not null default 'keep' check (cycle in ('keep', 'restart'));

drop trigger audited on plan_changes;
create trigger audited after insert or delete or update of plan_id, settle, proration, cycle on plan_changes for each row
  execute function audit_row('{
  "object": "subscription", "insert": "updated", "delete": "updated", "update": "updated", "id": "subscription_id",
  "members": ["plan_id", "at", "settle", "proration", "cycle"]}');
