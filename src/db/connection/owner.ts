import pg from 'pg';
import { parseDatabaseUrl, withDatabase } from '../../settings/database-address.ts';
import { createPool, transaction, type Db } from './pool.ts';

/** Attributes of our role: it owns its objects and has no other privileges. */
const ROLE_ATTRIBUTES = 'login nosuperuser nocreatedb nocreaterole noreplication nobypassrls';

/**
 * SQL: objects that an administrator created in our schema before the role existed. Indexes and owned sequences follow
 * their table.
 */
const OBJECTS_OF_OTHERS = `
  select format('alter %s %s owner to',
    case c.relkind when 'v' then 'view' when 'S' then 'sequence' else 'table' end, c.oid::regclass) as change
  from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'S') and c.relowner <> $1::regrole
    -- A partition depends on its table, and a partitioned table on its own column.
    and (c.relkind = 'p' or c.relispartition
      or not exists (select from pg_depend d
        where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype in ('a', 'i', 'e')))
  union all
  select format('alter routine %s owner to', p.oid::regprocedure)
  from pg_proc p
  where p.pronamespace = 'public'::regnamespace and p.proowner <> $1::regrole
    and not exists (select from pg_depend d
      where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')`;

/**
 * Creates the role and the database of `database_url` if they are missing, sets the role's password, and makes the role
 * owner of everything in the database. Connects as an administrator; idempotent. Throws if the role is the cluster's
 * bootstrap superuser.
 */
export async function provisionDatabase(admin_url: string, database_url: string): Promise<void> {
  const { role, database } = partsOf(database_url);
  const admin = createPool(admin_url, 1);
  try {
    await makeRoleAndDatabase(admin, database_url);
  } finally {
    await admin.end();
  }
  const inside = createPool(withDatabase(admin_url, database), 1);
  try {
    await transaction(inside, (db) => transferObjects(db, role));
  } finally {
    await inside.end();
  }
}

/**
 * Creates the role and the database of `database_url` if they are missing, and sets the role's password. `admin` is an
 * administrator's connection. Idempotent. Throws if the role is the cluster's bootstrap superuser.
 */
export async function makeRoleAndDatabase(admin: Db, database_url: string): Promise<void> {
  const { role, password, database } = partsOf(database_url);
  await makeRole(admin, role, password);
  await makeDatabase(admin, role, database);
}

function partsOf(database_url: string): { role: string; password: string; database: string } {
  const { role, password, database } = parseDatabaseUrl(database_url);
  if (role === '' || password === '' || database === '')
    throw new Error(
      'the address of the database must have a role, its password and the name of the database',
    );
  return { role, password, database };
}

async function makeRole(db: Db, role: string, password: string): Promise<void> {
  const { rows } = await db.query<{ is_bootstrap: boolean }>(
    'select oid = 10 as is_bootstrap from pg_roles where rolname = $1',
    [role],
  );
  if (rows[0]?.is_bootstrap === true)
    throw new Error(
      `${role} created this cluster and remains its superuser; use another role in DATABASE_URL`,
    );
  const verb = rows.length === 0 ? 'create' : 'alter';
  const name = pg.escapeIdentifier(role);
  await db.query(`${verb} role ${name} ${ROLE_ATTRIBUTES} password ${pg.escapeLiteral(password)}`);
}

async function makeDatabase(db: Db, role: string, database: string): Promise<void> {
  const { rows } = await db.query<{ is_owned: boolean }>(
    'select datdba = $2::regrole as is_owned from pg_database where datname = $1',
    [database, pg.escapeIdentifier(role)],
  );
  const [name, owner] = [pg.escapeIdentifier(database), pg.escapeIdentifier(role)];
  if (rows.length === 0) await db.query(`create database ${name} owner ${owner}`);
  else if (!rows[0]!.is_owned) await db.query(`alter database ${name} owner to ${owner}`);
}

async function transferObjects(db: Db, role: string): Promise<void> {
  const owner = pg.escapeIdentifier(role);
  const { rows } = await db.query<{ change: string }>(OBJECTS_OF_OTHERS, [owner]);
  for (const { change } of rows) await db.query(`${change} ${owner}`);
}
