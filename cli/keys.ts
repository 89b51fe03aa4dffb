import { Option, type Command } from 'commander';
import { newApiKey } from '../src/keys/api-key.ts';
import type { Config } from '../src/settings/config.ts';
import { insertKey, listKeys, revokeKey } from '../src/db/account/api-keys.ts';
import type { KeyKind, ApiKey } from '../src/objects/api-key.ts';
import { transaction } from '../src/db/connection/pool.ts';
import { liveOption } from './api.ts';
import { inEnvironment } from './database.ts';
import { Failure } from './failure.ts';
import { withExamples } from './help.ts';
import { jsonOption, printList, printResult, type Printed } from './output.ts';

const KEYS_SHOWN_MAX = 200;

/** The actor of the audit log. */
const COMMAND_LINE = { act: { actor: 'command_line' } };

type KeyOptions = Printed & { live: boolean };

/** Adds `keys create`, `list` and `revoke`, which use the database and not the API. */
export function addKeys(program: Command, config: Config): void {
  const keys = program.command('keys').description('API keys of the account');
  const onKeys = (command: Command) => command.addOption(liveOption()).addOption(jsonOption());

  withExamples(onKeys(keys.command('create').description('create a key and show it once')), [
    "keys create --live --name 'Billing of the shop'",
    'keys create --kind events_only --json',
  ])
    .addOption(
      new Option('--kind <kind>', 'permissions of the key')
        .choices(['full', 'events_only', 'read_only'])
        .default('full'),
    )
    .option('--name <name>', 'purpose of the key', 'Created on the command line')
    .action((options: KeyOptions & { kind: KeyKind; name: string }) =>
      inEnvironment(config, options.live, async (pool, environment_id) => {
        const { name, kind, live: livemode } = options;
        const secret = newApiKey(livemode);
        const id = await transaction(
          pool,
          (db) => insertKey(db, environment_id, { secret, name, kind }),
          COMMAND_LINE,
        );
        const created = { id, object: 'api_key', livemode, name, kind, secret };
        printResult(options, created, `${id}\n${secret}\nThe key is shown only once.`);
      }),
    );

  withExamples(onKeys(keys.command('list').description('list the keys, newest first')), [
    'keys list --live',
  ]).action((options: KeyOptions) =>
    inEnvironment(config, options.live, async (pool, environment_id) => {
      const rows = await listKeys(pool, environment_id, { before: null, limit: KEYS_SHOWN_MAX + 1 });
      const data = rows.slice(0, KEYS_SHOWN_MAX);
      const has_more = rows.length > data.length;
      printList<ApiKey>(options, { object: 'list', data, has_more, next_cursor: null }, COLUMNS);
    }),
  );

  withExamples(
    onKeys(keys.command('revoke').description('revoke a key; every process rejects it within 5 seconds')),
    ['keys revoke key_01k2m3n4p5q6r7s8t9v0w1x2y3 --live'],
  )
    .argument('<id>', 'key_...')
    .action((id: string, options: KeyOptions) =>
      inEnvironment(config, options.live, async (pool, environment_id) => {
        if (!(await transaction(pool, (db) => revokeKey(db, environment_id, id), COMMAND_LINE)))
          throw new Failure(`${id} is not a key of this environment, or is already revoked`);
        printResult(options, { id, object: 'api_key', is_revoked: true }, `${id} is revoked.`);
      }),
    );
}

const COLUMNS = {
  id: ({ id }: ApiKey) => id,
  key: ({ last_four }: ApiKey) => `...${last_four}`,
  kind: ({ kind }: ApiKey) => kind,
  state: ({ revoked_at, last_used_at }: ApiKey) =>
    revoked_at === null ? `last used ${last_used_at ?? 'never'}` : `revoked ${revoked_at}`,
  name: ({ name }: ApiKey) => name,
};
