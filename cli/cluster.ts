import { InvalidArgumentError, type Command } from 'commander';
import type { Config } from '../src/settings/config.ts';
import { messageOf } from '../src/process/message-of.ts';
import { parseHost, type Host } from '../src/settings/database-address.ts';
import { withExamples } from './help.ts';
import { jsonOption, type Printed } from './output.ts';

export type AddOptions = Printed & { coordinator?: Host; withoutTls: boolean };
export type MoveOptions = Printed & { yes: boolean };

/** Adds the commands that put events on several machines. */
export function addCluster(program: Command, config: Config): void {
  const cluster = program
    .command('cluster')
    .description('events on several machines, by Citus; all but show need DATABASE_ADMIN_URL');
  addAdd(cluster, config);
  addMoves(cluster, config);

  withExamples(
    cluster
      .command('show')
      .description('show the nodes, what lies on each, and what is prepared or moves')
      .addOption(jsonOption()),
    ['cluster show', 'cluster show --json'],
  ).action(async (options: Printed) => (await import('./cluster-state.ts')).show(config, options));

  withExamples(
    cluster
      .command('spread')
      .description(
        'spread the events evenly over the nodes, after one was added; after Ctrl-C it goes on, and the command follows it again',
      )
      .addOption(jsonOption()),
    ['cluster spread'],
  ).action(async (options: Printed) => (await import('./cluster-state.ts')).spread(config, options));
}

function addAdd(cluster: Command, config: Config): void {
  withExamples(
    cluster
      .command('add')
      .description(
        'make a PostgreSQL server with Citus a node, which is reached with the roles and passwords of DATABASE_ADMIN_URL and DATABASE_URL; twice is once',
      )
      .argument('<host>', 'HOST or HOST:PORT of the server (default port: 5432)', hostOf)
      .option(
        '--coordinator <host>',
        'HOST:PORT where nodes reach the coordinator (default: that of DATABASE_ADMIN_URL)',
        hostOf,
      )
      .option('--without-tls', 'allow connections between the servers that are not encrypted', false)
      .addOption(jsonOption()),
    ['cluster add node-1.internal', 'cluster add 10.0.0.12:5433 --coordinator 10.0.0.11:5432'],
  ).action(async (node: Host, options: AddOptions) =>
    (await import('./cluster-moves.ts')).add(config, node, options),
  );
}

function addMoves(cluster: Command, config: Config): void {
  withExamples(
    cluster
      .command('move')
      .description(
        'ask for confirmation, move all events and their keys to the nodes while others are stored, and compare',
      )
      .option('-y, --yes', 'do not ask for confirmation; required with --json and without a terminal', false)
      .addOption(jsonOption()),
    ['cluster move', 'cluster move --yes'],
  ).action(async (options: MoveOptions) => (await import('./cluster-moves.ts')).move(config, options));

  withExamples(
    cluster
      .command('back')
      .description(
        'ask for confirmation, move all events back to the coordinator while none can be stored, and compare',
      )
      .option('-y, --yes', 'do not ask for confirmation; required with --json and without a terminal', false)
      .addOption(jsonOption()),
    ['cluster back', 'cluster back --yes'],
  ).action(async (options: MoveOptions) => (await import('./cluster-moves.ts')).back(config, options));
}

function hostOf(text: string): Host {
  try {
    return parseHost(text);
  } catch (error) {
    throw new InvalidArgumentError(`It ${messageOf(error)}.`);
  }
}
