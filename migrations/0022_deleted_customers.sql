-- Customers that were deleted. A deletion locks the table against the storing of events, which has no foreign key: what stores events
-- takes a row share lock of it, which costs nothing, and so waits until the deletion has committed or was rolled back.
create table deleted_customers (
  environment_id integer not null references environments (id),
  id text collate "C" not null,
  key bigint not null unique,
  deleted_at timestamptz(3) not null default date_trunc('milliseconds', now()),
  deleted_by text not null,
  primary key (environment_id, id)
);

-- For COPY, which cannot look at customers itself: raises an error, so that nothing is stored, if one of them was deleted. It stays true
-- until the transaction ends.
create function refuse_deleted_customers(keys bigint[]) returns void language plpgsql as $$
begin
  perform from deleted_customers where key = any(keys) for key share;
  if found then
    raise exception 'a customer of the events was deleted' using errcode = 'TM001';
  end if;
end $$;
