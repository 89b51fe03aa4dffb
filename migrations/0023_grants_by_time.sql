-- The list of grants in the order of ids, filtered by a time that is far back: the index is read from the newest grant on.
create index credit_grants_newest on credit_grants (environment_id, id, created_at);
