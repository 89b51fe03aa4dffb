import type { Command } from 'commander';
import type { List } from '../src/objects/parts.ts';
import type { PaymentProvider } from '../src/objects/payment-provider.ts';
import type { Config } from '../src/settings/config.ts';
import { askingApi, openApi, printingList, type ApiOptions, type PageOptions } from './api.ts';
import { askFirst } from './confirmation.ts';
import { Failure } from './failure.ts';
import { withExamples } from './help.ts';
import { fieldLines, printList, printResult } from './output.ts';
import { secretLines } from './secret-lines.ts';

const PATH = '/v1/payment-providers';
const EXAMPLE = 'pp_01k2m3n4p5q6r7s8t9v0w1x2y3';
const WEBHOOK_SECRET = ['--webhook-secret', 'read the secret of events, after the secret key'] as const;

type Secrets = { secretKey?: true; webhookSecret?: true };

/** Adds `providers list`, `connect`, `update` and `delete`. */
export function addProviders(program: Command, config: Config): void {
  const providers = program
    .command('providers')
    .description('the account at a payment provider with which customers are charged');
  addList(providers, config);
  addConnect(providers, config);
  addUpdate(providers, config);
  addDelete(providers, config);
}

function addList(providers: Command, config: Config): void {
  withExamples(printingList(providers.command('list').description('list the provider, if there is one')), [
    'providers list --live',
  ]).action(async ({ limit, cursor, ...options }: ApiOptions & PageOptions) => {
    const list = await openApi(config, options).get<List<PaymentProvider>>(PATH, { limit, cursor });
    printList(options, list, {
      id: ({ id }) => id,
      kind: ({ kind }) => kind,
      account: ({ account }) => account,
      status: ({ status }) => status,
      'key ends with': ({ key_last_four }) => key_last_four,
      reason: ({ status_reason }) => status_reason,
    });
  });
}

function addConnect(providers: Command, config: Config): void {
  const connect = providers
    .command('connect')
    .description('connect an account at Stripe, whose secret key is read from stdin');
  withExamples(askingApi(connect), ['providers connect --live', 'providers connect --webhook-secret'])
    .option(...WEBHOOK_SECRET)
    .action(async ({ webhookSecret, ...options }: ApiOptions & Secrets) => {
      const api = openApi(config, options);
      const body = await secretsOf({ secretKey: true, ...(webhookSecret && { webhookSecret }) });
      show(options, await api.post<PaymentProvider>(PATH, { kind: 'stripe', ...body }));
    });
}

function addUpdate(providers: Command, config: Config): void {
  const update = providers.command('update').description('replace secrets, which are read from stdin');
  withExamples(askingApi(update), [
    `providers update ${EXAMPLE} --secret-key --live`,
    `providers update ${EXAMPLE} --secret-key --webhook-secret`,
  ])
    .argument('<id>', 'pp_...')
    .option('--secret-key', 'read another secret key, of the same account')
    .option(...WEBHOOK_SECRET)
    .action(async (id: string, options: ApiOptions & Secrets) => {
      const { secretKey, webhookSecret } = options;
      if (!secretKey && !webhookSecret)
        throw new Failure('name what is replaced: --secret-key, --webhook-secret or both', 2);
      const api = openApi(config, options);
      const body = await secretsOf(options);
      show(options, (await api.call<PaymentProvider>('PATCH', pathOf(id), { body })).body);
    });
}

function addDelete(providers: Command, config: Config): void {
  const remove = providers
    .command('delete')
    .description('disconnect a provider; the payment methods of all customers are removed, for good');
  withExamples(askingApi(remove), [`providers delete ${EXAMPLE} --live`])
    .argument('<id>', 'pp_...')
    .option('-y, --yes', 'do not ask; required with --json and without a terminal', false)
    .action(async (id: string, options: ApiOptions & { yes: boolean }) => {
      const api = openApi(config, options);
      await askFirst(options, 'Remove the payment methods of all customers?');
      const { body } = await api.call<{ id: string }>('DELETE', pathOf(id));
      printResult(options, body, `deleted ${body.id}`);
    });
}

/** The secrets that the options name, from stdin. */
async function secretsOf({ secretKey, webhookSecret }: Secrets): Promise<Record<string, string>> {
  const named = [
    ...(secretKey ? [['secret_key', 'the secret key'] as const] : []),
    ...(webhookSecret ? [['webhook_secret', 'the secret of events'] as const] : []),
  ];
  const secrets = await secretLines(named.map(([, name]) => name));
  return Object.fromEntries(named.map(([member], place) => [member, secrets[place]!]));
}

function pathOf(id: string): string {
  return `${PATH}/${encodeURIComponent(id)}`;
}

function show(options: ApiOptions, provider: PaymentProvider): void {
  const { id, kind, account, status, status_reason, key_last_four, webhook_url } = provider;
  const fields = {
    id,
    kind,
    account,
    status,
    reason: status_reason,
    'key ends with': key_last_four,
    'events come to': webhook_url,
  };
  printResult(options, provider, fieldLines(fields));
}
