-- Why a regeneration, or a turn of a plan migration, was refused: the details of the error, [{param, reason, message}]. Null where it was not
-- refused, or the database refused a row, and before this version.
alter table regenerations add column details jsonb;
alter table plan_migration_outcomes add column details jsonb;
