import { functionsMissing } from '../../src/db/cluster/functions.ts';
import { coordinatorFacts, nodeFacts } from '../../src/db/cluster/node-facts.ts';
import { listNodes } from '../../src/db/cluster/nodes.ts';
import { wrongText } from '../../src/db/cluster/refused-servers.ts';
import { PREPARED_SECONDS_MAX, preparedTransactions } from '../../src/db/cluster/state.ts';
import { createPool, type Pool } from '../../src/db/connection/pool.ts';
import type { Config } from '../../src/settings/config.ts';
import { hostText } from '../../src/settings/database-address.ts';
import { databaseUrl } from '../database.ts';
import { fail, ok, type Check, type Finding } from './check.ts';

const STATEMENT_MS = 4000;
const NODES = 'cluster nodes';
const SHOWN_MAX = 5;

/** Checks of the nodes that hold events; none on one machine, and none if the database does not respond. */
export async function clusterChecks(config: Config): Promise<Check[]> {
  try {
    const pool = createPool(databaseUrl(config), 4, { statement_ms: STATEMENT_MS });
    if ((await listNodes(pool)).length > 0) return checksOf(pool);
    await pool.end();
  } catch {
    // Other checks say so.
  }
  return [];
}

function checksOf(pool: Pool): Check[] {
  return [
    {
      what: NODES,
      needs: [],
      next_step: 'start the node, and check the network between the coordinator and it',
      ask: () => nodesFinding(pool),
    },
    {
      what: 'cluster versions',
      needs: [NODES],
      next_step: 'give all servers one major version of PostgreSQL and one version of Citus',
      ask: () => versionsFinding(pool),
    },
    {
      what: 'cluster settings',
      needs: [NODES],
      next_step:
        'correct the settings; tidemark cluster add HOST of the node sets those that need no restart',
      ask: () => settingsFinding(pool),
    },
    {
      what: 'cluster prepared transactions',
      needs: [NODES],
      next_step:
        'make sure that the coordinator runs with citus.recover_2pc_interval = 1s, and read its log; bills wait meanwhile',
      ask: () => preparedFinding(pool),
    },
    {
      what: 'cluster functions',
      needs: [NODES],
      next_step: 'run tidemark cluster add HOST of the node again',
      ask: async () => {
        const missing = (await functionsMissing(pool)).map(({ node, name }) => `${node} ${name}`);
        return missing.length === 0 ? ok('all are on all nodes') : fail(`missing or old: ${few(missing)}`);
      },
    },
  ];
}

async function nodesFinding(pool: Pool): Promise<Finding> {
  const nodes = await listNodes(pool);
  const { unreachable } = await preparedTransactions(pool);
  const faults = [
    ...unreachable.map((node) => `${hostText(node)}: ${node.fault}`),
    ...nodes.filter(({ is_active }) => !is_active).map((node) => `${hostText(node)} is not active`),
  ];
  return faults.length === 0 ? ok(`${nodes.map(hostText).join(', ')} answer`) : fail(few(faults));
}

async function versionsFinding(pool: Pool): Promise<Finding> {
  const coordinator = await coordinatorFacts(pool);
  const major = (version: string) => Number.parseInt(version, 10);
  const others = (await nodeFacts(pool)).filter(
    ({ version, citus }) => major(version) !== major(coordinator.version) || citus !== coordinator.citus,
  );
  const all = `PostgreSQL ${coordinator.version}, Citus ${coordinator.citus}`;
  if (others.length === 0) return ok(all);
  const found = others.map(({ node, version, citus }) => `${node} has PostgreSQL ${version}, Citus ${citus}`);
  return fail(`the coordinator has ${all}; ${few(found)}`);
}

async function settingsFinding(pool: Pool): Promise<Finding> {
  const servers = [
    { node: 'the coordinator', ...(await coordinatorFacts(pool)) },
    ...(await nodeFacts(pool)),
  ];
  const wrong = servers.filter((server) => server.wrong.length > 0);
  if (wrong.length === 0) return ok('as a cluster needs them');
  return fail(few(wrong.map((server) => `on ${server.node} ${wrongText(server.wrong)}`)));
}

async function preparedFinding(pool: Pool): Promise<Finding> {
  const { transactions, settling_seconds } = await preparedTransactions(pool);
  const old = transactions.filter(({ age_seconds }) => age_seconds > PREPARED_SECONDS_MAX);
  if (old.length > 0)
    return fail(few(old.map((one) => `${hostText(one)} ${one.gid}, for ${Math.round(one.age_seconds)} s`)));
  return ok(`none is old; all nodes answered within ${Math.round(settling_seconds * 1000)} ms`);
}

function few(texts: readonly string[]): string {
  const more = texts.length > SHOWN_MAX ? [`and ${texts.length - SHOWN_MAX} more`] : [];
  return [...texts.slice(0, SHOWN_MAX), ...more].join('; ');
}
