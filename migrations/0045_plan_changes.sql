-- The plan of a subscription changes (decision 46). Its first plan stays in subscriptions.plan_id.
create table plan_changes (
  environment_id integer not null,
  subscription_id text collate "C" not null,
  -- The first instant of the plan.
  at timestamptz(3) not null,
  plan_id text collate "C" not null,
  -- Whether the instant was sent as a day: periods that are anchored at it then begin at midnight.
  is_day boolean not null,
  -- When the feed was told that the plan holds; null while it is to come.
  told_at timestamptz(3),
  created_at timestamptz(3) not null default date_trunc('milliseconds', now()),
  primary key (environment_id, subscription_id, at),
  foreign key (environment_id, subscription_id) references subscriptions,
  foreign key (environment_id, plan_id) references plans
);
create index plan_changes_by_plan on plan_changes (environment_id, plan_id);
create index plan_changes_to_tell on plan_changes (environment_id, at) where told_at is null;

-- The plans of subscriptions one after the other: each instant lies in one row of a subscription.
create view subscription_plans as
select environment_id, subscription_id, plan_id, begins_at,
  coalesce(lead(begins_at) over (partition by environment_id, subscription_id order by begins_at), 'infinity') as ends_at
from (
  select environment_id, id as subscription_id, plan_id, '-infinity'::timestamptz as begins_at from subscriptions
  union all
  select environment_id, subscription_id, plan_id, at from plan_changes
) as plan;

-- The plan that bills the period; of a trial the one that holds at its end.
alter table periods disable trigger logged;
alter table periods add column plan_id text collate "C";
update periods p set plan_id = s.plan_id
from subscriptions s where s.environment_id = p.environment_id and s.id = p.subscription_id;
alter table periods alter column plan_id set not null;
alter table periods add foreign key (environment_id, plan_id) references plans;
alter table periods enable always trigger logged;

-- For processes of the release before, which know no changes of plan.
create function plan_of_period() returns trigger language plpgsql as $$
begin
  select plan_id into new.plan_id from subscriptions
  where environment_id = new.environment_id and id = new.subscription_id;
  return new;
end $$;
create trigger plan_of_period before insert on periods for each row when (new.plan_id is null)
  execute function plan_of_period();

-- src/db/changes/watched-columns.ts has the same lists.
drop trigger logged on periods;
create trigger logged after insert or delete or update on periods for each row execute function log_row_change(
  'subscription_id', 'period_start', 'period_end', 'interval_end', 'full_period_start', 'kind', 'closed_at', 'plan_id');
alter table periods enable always trigger logged;
create trigger logged after insert or delete or update on plan_changes for each row
  execute function log_row_change('subscription_id', 'at', 'plan_id', 'told_at');
alter table plan_changes enable always trigger logged;
