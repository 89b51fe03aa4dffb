-- What the last checks of the invariants found, of the whole database and not of one tenant; the newest hundred are kept.
create table checks (
  id bigint generated always as identity primary key,
  started_at timestamptz(3) not null,
  finished_at timestamptz(3) not null,
  -- Breaches by invariant, {"I5": 0}; null for one that could not be checked.
  counts jsonb not null,
  -- [{"invariant", "row", "what"}], at most a hundred of each invariant.
  breaches jsonb not null
);
