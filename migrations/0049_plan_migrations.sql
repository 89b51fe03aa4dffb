-- Moves of all subscribers of a plan to another one (decision 50).
create table plan_migrations (
  environment_id integer not null references environments,
  id text collate "C" not null,
  -- As it was sent: a plan, or the key of all versions in from_plan_ids.
  from_plan_id text not null,
  from_plan_ids text[] not null,
  to_plan_id text collate "C" not null,
  -- As it was sent: now, period_end, an instant, or a day in the time zone of each subscription.
  at text not null,
  settle text not null check (settle in ('balance', 'outside', 'none')),
  status text not null default 'running' check (status in ('running', 'done', 'stopped', 'taken_back')),
  -- The last subscription that the pass over them has reached; the empty text before the first.
  reached text collate "C" not null default '',
  total integer not null,
  changed integer not null default 0,
  skipped integer not null default 0,
  failed integer not null default 0,
  taken_back integer not null default 0,
  created_at timestamptz(3) not null default date_trunc('milliseconds', now()),
  created_by text not null,
  -- Null while its workflow has work: changes, or the taking back of them.
  finished_at timestamptz(3),
  primary key (environment_id, id),
  foreign key (environment_id, to_plan_id) references plans,
  check (finished_at is not null or status in ('running', 'taken_back')),
  check (finished_at is null or status <> 'running')
);
create index plan_migrations_by_plan on plan_migrations (environment_id, to_plan_id);
create index plan_migrations_to_run on plan_migrations (environment_id, id) where finished_at is null;

-- The subscriptions of a migration, as they were when it was asked for.
create table plan_migration_outcomes (
  environment_id integer not null,
  migration_id text collate "C" not null,
  subscription_id text collate "C" not null,
  -- Null until its turn.
  status text check (status in ('changed', 'skipped', 'failed', 'taken_back')),
  reason text,
  -- The instant of the change that was made.
  changed_at timestamptz(3),
  primary key (environment_id, migration_id, subscription_id),
  foreign key (environment_id, migration_id) references plan_migrations,
  foreign key (environment_id, subscription_id) references subscriptions,
  check ((changed_at is not null) = coalesce(status in ('changed', 'taken_back'), false)),
  check (reason is null or status is not null)
);
create index plan_migration_outcomes_by_status on plan_migration_outcomes (environment_id, migration_id, status,
  subscription_id);
create index plan_migration_outcomes_by_subscription on plan_migration_outcomes (environment_id, subscription_id);

-- src/db/changes/watched-columns.ts has the same lists.
create trigger logged after insert or delete or update of status, finished_at on plan_migrations for each row
  execute function log_row_change('id', 'status', 'finished_at');
alter table plan_migrations enable always trigger logged;
