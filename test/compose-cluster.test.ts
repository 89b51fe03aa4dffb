import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { SETTINGS } from '../src/settings/config.ts';
import { CLUSTER, COMPOSE, flagsOf } from './production/compose.ts';

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

const NODES = ['node-1', 'node-2', 'node-3'];
/** Settings of a coordinator and of its nodes; docs/operations.md has the reasons. */
const OF_CITUS = {
  shared_preload_libraries: 'citus',
  wal_level: 'logical',
  max_connections: '200',
  max_prepared_transactions: '400',
  // What the servers say to each other stays in the machine.
  'citus.node_conninfo': 'sslmode=prefer',
  'citus.multi_shard_modify_mode': 'sequential',
  'citus.max_adaptive_executor_pool_size': '1',
  'citus.max_cached_conns_per_worker': '4',
  'citus.all_modifications_commutative': 'on',
  'citus.propagate_set_commands': 'local',
  'citus.recover_2pc_interval': '1s',
  'citus.node_connection_timeout': '5s',
};

describe('docker-compose.cluster.yml', () => {
  const { services, volumes } = CLUSTER;
  const { postgres, cluster } = services;

  it('has three nodes and the commands of the cluster, and changes only the image and the command of postgres', () => {
    assert.deepEqual(Object.keys(services).sort(), ['cluster', ...NODES, 'postgres']);
    assert.deepEqual(Object.keys(postgres!).sort(), ['command', 'image']);
  });

  it('has one image on all servers, with the data folder of the database that it takes over', () => {
    // This image has PostgreSQL 18 too, whose folders have the same layout.
    assert.match(COMPOSE.services['postgres']!.image!, /^postgres:18\./);
    for (const name of NODES) {
      assert.equal(services[name]!.image, postgres!.image, name);
      assert.deepEqual(services[name]!.volumes, [`${name}:/var/lib/postgresql`]);
    }
    assert.match(postgres!.image!, /^citusdata\/citus:14\.0(\.\d+)?$/);
    assert.deepEqual(COMPOSE.services['postgres']!.volumes, ['postgres:/var/lib/postgresql']);
    assert.deepEqual(Object.keys(volumes).sort(), NODES);
  });

  it('gives every server the settings of Citus, and keeps those of the database', () => {
    const before = flagsOf(COMPOSE.services['postgres']!.command);
    assert.deepEqual(flagsOf(postgres!.command), { ...before, ...OF_CITUS });
    for (const name of NODES) {
      const flags = flagsOf(services[name]!.command);
      assert.deepEqual(flags, { ...before, shared_buffers: flags['shared_buffers'], ...OF_CITUS }, name);
    }
  });

  it('has the settings of the table in docs/operations.md', () => {
    const [, table = ''] =
      /\n\| setting \| value \| reason \|\n([^]*?)\n\n/.exec(read('docs/operations.md')) ?? [];
    const rows = [...table.matchAll(/^\| `([\w.]+)` \| `([^`]+)`/gm)].map(([, name, value]) => [
      name!,
      value!,
    ]);
    const { max_connections, ...described } = OF_CITUS;
    assert.equal(Number(described.max_prepared_transactions), 2 * Number(max_connections));
    const between_machines = { 'citus.node_conninfo': 'sslmode=require' };
    assert.deepEqual(Object.fromEntries(rows), { ...described, ...between_machines });
  });

  it('gives the nodes the superuser, the password and the database of the coordinator', () => {
    for (const name of NODES)
      assert.deepEqual(services[name]!.environment, COMPOSE.services['postgres']!.environment, name);
  });

  it('limits memory and logs, publishes no port, and asks every node whether it is ready', () => {
    for (const name of [...NODES, 'cluster']) {
      const { mem_limit, logging, ports } = services[name]!;
      assert.match(mem_limit ?? '', /\d[mg]\}?$/, name);
      assert.deepEqual(logging, COMPOSE.services['postgres']!.logging, name);
      assert.equal(ports, undefined, name);
    }
    for (const name of NODES)
      assert.deepEqual(services[name]!.healthcheck, COMPOSE.services['postgres']!.healthcheck, name);
  });

  it('adds every node and then moves the events, once they are ready and the database is set up, by hand alone', () => {
    const { command, profiles, restart, depends_on } = cluster!;
    assert.ok(Array.isArray(command));
    const [shell, options, script, , ...nodes] = command;
    assert.deepEqual([shell, options, nodes], ['/bin/sh', '-ec', NODES]);
    assert.equal(
      script,
      'for node; do tidemark cluster add --without-tls "$$node"; done; tidemark cluster move --yes',
    );
    assert.deepEqual(profiles, ['cluster']);
    assert.equal(restart, 'no');
    for (const name of [...NODES, 'postgres'])
      assert.equal(depends_on![name]!.condition, 'service_healthy', name);
    assert.equal(depends_on!['setup']!.condition, 'service_completed_successfully');
  });

  it('connects as database-owner does, and is hardened as it is', () => {
    const owner: Record<string, unknown> = COMPOSE.services['database-owner']!;
    const ours: Record<string, unknown> = cluster!;
    for (const name of ['environment', 'build', 'init', 'read_only', 'tmpfs', 'cap_drop', 'security_opt'])
      assert.deepEqual(ours[name], owner[name], name);
    const unknown = Object.keys(cluster!.environment!).filter((name) => !(name in SETTINGS));
    assert.deepEqual(unknown, []);
  });

  it('needs no secret that docker-compose.yml does not have', () => {
    const needed = (file: string) => [...read(file).matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name!);
    const known = needed('docker-compose.yml');
    assert.deepEqual(
      needed('docker-compose.cluster.yml').filter((name) => !known.includes(name)),
      [],
    );
  });
});
