-- A token bucket in place of a window of a second: who sends more than its rate gets it evenly, and not in the window's first part.
-- Not logged, as the windows were: a crash may empty it. An API of the version before finds no windows and limits rates on its own.
drop table rate_windows;
create unlogged table rate_buckets (
  key_id text collate "C" primary key,
  -- Units and hundredths of units, taken of a full bucket and not filled up again at `counted_at`; beyond its size they are owed.
  taken numeric not null,
  counted_at timestamptz not null,
  -- Of `taken`, what the last to ask was given.
  granted integer not null
) with (fillfactor = 20);
