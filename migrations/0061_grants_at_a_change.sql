-- What becomes, at a change of plan, of the credit that the plan before it gave for its last period (billing.md 4).
alter table plan_changes add column take_back_grants boolean not null default false;

-- The act has all that a change says.
drop trigger audited on plan_changes;
create trigger audited after insert or delete or update of plan_id, settle, proration, cycle, take_back_grants on plan_changes
  for each row execute function audit_row('{
  "object": "subscription", "insert": "updated", "delete": "updated", "update": "updated", "id": "subscription_id",
  "members": ["plan_id", "at", "settle", "proration", "cycle", "take_back_grants"]}');
