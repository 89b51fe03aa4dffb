import type { Host } from '../../settings/database-address.ts';
import type { Db } from '../connection/pool.ts';
import { onNodes } from './nodes.ts';
import { SETTINGS, wrongOf, wrongSettings, type Setting, type WrongSetting } from './settings.ts';

/** Answers of a server of the cluster about itself to the product's role; `node` is `host:port`. */
export type NodeFacts = Host & {
  node: string;
  /** The version of PostgreSQL, such as 18.4, and that of the extension, such as 14.0-1. */
  version: string;
  citus: string;
  wrong: WrongSetting[];
};

const VERSIONS = `select split_part(current_setting('server_version'), ' ', 1) as version,
  (select extversion from pg_extension where extname = 'citus') as citus`;

/** Facts of each node that answers. */
export async function nodeFacts(db: Db): Promise<NodeFacts[]> {
  const answers = await onNodes<Pick<NodeFacts, 'version' | 'citus'> & { settings: Setting[] }>(
    db,
    `select json_build_object('version', v.version, 'citus', v.citus,
       'settings', (select json_agg(s) from (${SETTINGS}) as s)) from (${VERSIONS}) as v`,
  );
  return answers.flatMap(({ host, port, node, result }) =>
    result === null
      ? []
      : [{ host, port, node, version: result.version, citus: result.citus, wrong: wrongOf(result.settings) }],
  );
}

/** Facts of the coordinator. */
export async function coordinatorFacts(db: Db): Promise<Omit<NodeFacts, 'node' | 'host' | 'port'>> {
  const { rows } = await db.query<Pick<NodeFacts, 'version' | 'citus'>>(VERSIONS);
  return { ...rows[0]!, wrong: await wrongSettings(db) };
}
