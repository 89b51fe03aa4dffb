-- Versions of a plan, each a row of its own (decision 49), and plans that are archived.
alter table plans add column key text collate "C";
-- Counted from 1 for each key.
alter table plans add column version integer;
alter table plans add column archived_at timestamptz(3);
alter table plans add constraint plans_key_check check ((key is null) = (version is null) and version > 0);
create unique index plans_of_key on plans (environment_id, key, version);
create index plans_archived on plans (environment_id, id) where archived_at is not null;

-- src/db/changes/watched-columns.ts has the same list.
drop trigger logged on plans;
create trigger logged after insert or delete or update on plans for each row
  execute function log_row_change('id', 'key', 'archived_at');
alter table plans enable always trigger logged;
