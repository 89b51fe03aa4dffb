-- The window in which an API key takes its units, one a key, shared by all API processes. Not logged: it is written for many requests
-- and holds nothing that a second does not make good, so that a crash may empty it.
create unlogged table rate_windows (
  key_id text collate "C" primary key,
  starts_at timestamptz not null,
  -- Units and hundredths of units; beyond the rate they are owed, and the window lasts until the rate has paid for them.
  taken numeric not null,
  -- Of `taken`, what the last to ask was given.
  granted integer not null
) with (fillfactor = 20);
