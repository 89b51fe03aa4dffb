import assert from 'node:assert/strict';
import { refuseServers, type Compared } from '../../src/db/cluster/refused-servers.ts';
import type { Server } from '../../src/db/cluster/server.ts';
import { wrongOf } from '../../src/db/cluster/settings.ts';
import { Refusal } from '../../src/settings/refusal.ts';

const NODE = { host: 'node-1', port: 5432 };
const SERVER: Server = {
  version: 18,
  is_superuser: true,
  system_identifier: '1',
  citus: '14.0-1',
  has_tls: true,
  wrong: [],
};
const SOUND: Compared = {
  coordinator: SERVER,
  node: { ...SERVER, system_identifier: '2' },
  clocks_apart_ms: 1000,
};
const on = (side: 'coordinator' | 'node', parts: Partial<Server>): Compared => ({
  ...SOUND,
  [side]: { ...SOUND[side], ...parts },
});

describe('two servers', () => {
  it('that are alike are a coordinator and a node', () => {
    assert.doesNotThrow(() => refuseServers(SOUND, { node: NODE, without_tls: false }));
  });

  const REFUSED: [what: string, compared: Compared, sentence: RegExp][] = [
    ['one server twice', on('node', { system_identifier: '1' }), /^node-1:5432 is the coordinator itself/],
    ['another role', on('node', { is_superuser: false }), /is no superuser on the node node-1:5432$/],
    ['no Citus', on('node', { citus: null }), /^Citus is not installed on the machine of the node/],
    [
      'an old Citus',
      on('coordinator', { citus: '13.2-1' }),
      /^the coordinator has Citus 13.2-1, and .* Citus 14$/,
    ],
    ['two versions of Citus', on('node', { citus: '14.1-1' }), /has Citus 14.0-1 and the node .* has 14.1-1/],
    ['two of PostgreSQL', on('node', { version: 17 }), /has PostgreSQL 18 and the node .* has 17/],
    [
      'no TLS',
      on('coordinator', { has_tls: false }),
      /^there is no TLS on the coordinator: .*--without-tls$/,
    ],
    ['clocks', { ...SOUND, clocks_apart_ms: 1001 }, /are 1001 ms apart, and the maximum is 1000 ms$/],
  ];
  for (const [what, compared, sentence] of REFUSED)
    it(`are refused for ${what}`, () => {
      assert.throws(
        () => refuseServers(compared, { node: NODE, without_tls: false }),
        (error) => error instanceof Refusal && sentence.test(error.message),
      );
    });

  it('are refused with every setting that needs a restart', () => {
    const setting = (name: string, value: string, source = 'default') => ({ name, setting: value, source });
    const wrong = wrongOf([
      setting('shared_preload_libraries', 'citus, auto_explain'),
      setting('wal_level', 'replica'),
      setting('max_connections', '100'),
      setting('max_prepared_transactions', '199'),
      setting('citus.recover_2pc_interval', '60000', 'command line'),
      setting('citus.propagate_set_commands', 'none'),
    ]);
    assert.throws(() => refuseServers(on('node', { wrong }), { node: NODE, without_tls: true }), {
      message:
        'settings are wrong: on the node node-1:5432 wal_level is replica and must be logical (with a restart), max_prepared_transactions is 199 and must be 200, twice max_connections, or more (with a restart), citus.recover_2pc_interval is 60000 and must be 1000 (with a restart)',
    });
  });
});
