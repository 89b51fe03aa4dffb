import { onNodes } from './nodes.ts';
import type { Db } from '../connection/pool.ts';

/**
 * SQL: our functions that statements of events may call, with the hashes of their texts: all but those that change
 * something, which the coordinator runs itself. What is made while the cluster has nodes goes to them by itself.
 */
const OURS = `select p.oid, p.oid::regprocedure::text as name, md5(pg_get_functiondef(p.oid)) as hash from pg_proc p
  where p.pronamespace = 'public'::regnamespace and p.provolatile <> 'v' and not exists (
    select 1 from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')`;

type OurFunction = { name: string; hash: string };

/**
 * Makes our functions on all nodes, now and on nodes that are added later, and again where one is missing. Returns how
 * many they are. Idempotent; as a superuser.
 */
export async function distributeFunctions(db: Db): Promise<number> {
  const ours = await ourFunctions(db);
  for (const { name } of ours) await db.query('select create_distributed_function($1::regprocedure)', [name]);
  const missing = new Set((await functionsMissing(db)).map(({ name }) => name));
  for (const { name } of ours) if (missing.has(name)) await makeAgain(db, name);
  return ours.length;
}

/** Citus thinks that the nodes have the function, and sends it where it is made. */
async function makeAgain(db: Db, name: string): Promise<void> {
  const { rows } = await db.query<{ text: string }>('select pg_get_functiondef($1::regprocedure) as text', [
    name,
  ]);
  await db.query(rows[0]!.text);
}

/** The functions that are missing on a node, or that have another text there. */
export async function functionsMissing(db: Db): Promise<{ node: string; name: string }[]> {
  const ours = await ourFunctions(db);
  const answers = await onNodes<OurFunction[] | null>(db, `select json_agg(f) from (${OURS}) as f`);
  return answers.flatMap(({ node, result }) => {
    const there = new Map((result ?? []).map(({ name, hash }) => [name, hash]));
    return ours.filter(({ name, hash }) => there.get(name) !== hash).map(({ name }) => ({ node, name }));
  });
}

async function ourFunctions(db: Db): Promise<OurFunction[]> {
  // In the order in which they were made: one that calls another cannot be made before it.
  const { rows } = await db.query<OurFunction>(`select name, hash from (${OURS}) as f order by oid`);
  return rows;
}
