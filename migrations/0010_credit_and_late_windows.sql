-- Credit that each issued line has of each grant, signed: drawn and taken over, less returned. The ledger of a grant says what moved
-- its balance; a line that takes over what another line returned moves nothing.
create table credit_draws (
  environment_id integer not null,
  -- In the order of drawing.
  id bigint generated always as identity,
  line_item_id text collate "C" not null,
  grant_id text collate "C" not null,
  amount numeric not null check (amount <> 0),
  primary key (environment_id, id),
  unique (environment_id, line_item_id, grant_id),
  foreign key (environment_id, line_item_id) references line_items (environment_id, id),
  foreign key (environment_id, grant_id) references credit_grants (environment_id, id)
);
create index credit_draws_grant on credit_draws (environment_id, grant_id);

insert into credit_draws (environment_id, line_item_id, grant_id, amount)
select environment_id, line_item_id, grant_id, -sum(amount)
from credit_ledger
where type in ('drawn', 'returned') and line_item_id is not null
group by environment_id, line_item_id, grant_id
having sum(amount) <> 0
order by environment_id, min(id);

-- Until when an event of a settled period was stored in time; what settled before has none.
alter table periods add column late_usage_until timestamptz(3);
