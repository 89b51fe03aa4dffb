import type { Db } from '../connection/pool.ts';

/** A setting of a server of a cluster whose value is not the one wanted. */
export type WrongSetting = {
  name: string;
  value: string;
  wanted: string;
  /** True if only a restart changes it, with another configuration or command line. */
  needs_restart: boolean;
};

/** Settings that a running server takes over, with values in the units of pg_settings. */
const WANTED: Readonly<Record<string, string>> = {
  // Without these three a batch costs twice the processor.
  'citus.multi_shard_modify_mode': 'sequential',
  'citus.max_adaptive_executor_pool_size': '1',
  'citus.max_cached_conns_per_worker': '4',
  // Without copies of shards no order of changes is wrong, and else `insert ... select` locks whole shards.
  'citus.all_modifications_commutative': 'on',
  // The settings of a transaction hold on the nodes too.
  'citus.propagate_set_commands': 'local',
  // Milliseconds. What a failed commit left on a node is readable after this time.
  'citus.recover_2pc_interval': '1000',
  // Milliseconds. A host that is away without an answer keeps a statement this long, not 30 s.
  'citus.node_connection_timeout': '5000',
};

const RESTART = ['shared_preload_libraries', 'wal_level', 'max_prepared_transactions', 'max_connections'];
/** Sources of a value that `alter system` does not change. */
const FIXED = ['command line', 'environment variable', 'override'];

/** A row of SETTINGS. */
export type Setting = { name: string; setting: string; source: string };

/** SQL: the settings of a server that a cluster depends on. */
export const SETTINGS = `select name, setting, source from pg_settings
  where name in (${[...RESTART, ...Object.keys(WANTED)].map((name) => `'${name}'`).join(', ')}) order by name`;

/**
 * The settings of a server that are not as a cluster needs them. Those of Citus itself are known only where it is
 * preloaded, and what is preloaded only to a role that may read all settings.
 */
export async function wrongSettings(db: Db): Promise<WrongSetting[]> {
  const { rows } = await db.query<Setting>(SETTINGS);
  return wrongOf(rows);
}

/** wrongSettings of rows that were read elsewhere. */
export function wrongOf(rows: readonly Setting[]): WrongSetting[] {
  const value = (name: string) => rows.find((row) => row.name === name)?.setting ?? null;
  const connections = Number(value('max_connections'));
  const wrong: WrongSetting[] = [];
  const want = (name: string, wanted: string, isRight: (value: string) => boolean) => {
    const found = value(name);
    if (found !== null && !isRight(found)) wrong.push({ name, value: found, wanted, needs_restart: true });
  };
  want('shared_preload_libraries', 'citus', isPreloaded);
  want('wal_level', 'logical', (level) => level === 'logical');
  want(
    'max_prepared_transactions',
    `${2 * connections}, twice max_connections, or more`,
    (prepared) => Number(prepared) >= 2 * connections,
  );
  for (const { name, setting, source } of rows) {
    const wanted = WANTED[name];
    if (wanted !== undefined && setting !== wanted)
      wrong.push({ name, value: setting, wanted, needs_restart: FIXED.includes(source) });
  }
  return wrong;
}

function isPreloaded(libraries: string): boolean {
  return libraries.split(',').some((library) => library.trim().replaceAll('"', '') === 'citus');
}

/**
 * Sets what a running server takes over, for every session of it, those that are open too. As a superuser, outside a
 * transaction.
 */
export async function setWithoutRestart(db: Db, wrong: readonly WrongSetting[]): Promise<void> {
  const settable = wrong.filter(({ needs_restart }) => !needs_restart);
  for (const { name, wanted } of settable) await db.query(`alter system set ${name} = '${wanted}'`);
  if (settable.length > 0) await db.query('select pg_reload_conf()');
}
