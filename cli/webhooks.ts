import type { Command } from 'commander';
import type { Config } from '../src/settings/config.ts';
import type { WebhookDelivery } from '../src/objects/webhook-delivery.ts';
import type { WebhookEndpoint } from '../src/objects/webhook-endpoint.ts';
import type { List } from '../src/objects/parts.ts';
import { askingApi, openApi, printingList, type ApiOptions, type PageOptions } from './api.ts';
import { sequenceOption } from './changes.ts';
import { withExamples } from './help.ts';
import { fieldLines, printList, printResult } from './output.ts';

const PATH = '/v1/webhook-endpoints';
const EXAMPLE = 'whe_01k2m3n4p5q6r7s8t9v0w1x2y3';

type Shown = WebhookEndpoint & { secret?: string | null };
type AfterOptions = ApiOptions & { after?: number };

/** Adds `webhooks list`, `create`, what is done with an endpoint, and `deliveries`. */
export function addWebhooks(program: Command, config: Config): void {
  const webhooks = program.command('webhooks').description('addresses to which changes are posted');
  addList(webhooks, config);
  addCreate(webhooks, config);
  addTest(webhooks, config);
  addActs(webhooks, config);
  addDeliveries(webhooks, config);
}

function addList(webhooks: Command, config: Config): void {
  withExamples(printingList(webhooks.command('list').description('list the endpoints, newest first')), [
    'webhooks list --live',
  ]).action(async ({ limit, cursor, ...options }: ApiOptions & PageOptions) => {
    const list = await openApi(config, options).get<List<WebhookEndpoint>>(PATH, { limit, cursor });
    printList(options, list, {
      id: ({ id }) => id,
      status: ({ status }) => status,
      'delivered up to': ({ delivered_up_to }) => `${delivered_up_to}`,
      'failing since': ({ failing_since }) => failing_since,
      types: ({ types }) => types?.join(',') ?? 'all',
      url: ({ url }) => url,
    });
  });
}

function addCreate(webhooks: Command, config: Config): void {
  withExamples(
    askingApi(webhooks.command('create').description('make an endpoint and show its secret once')),
    ['webhooks create https://example.com/tidemark --types invoice.*,payment.recorded --live'],
  )
    .argument('<url>', 'address to which changes are posted')
    .option('--types <types>', 'only these types, separated by commas')
    .option('--description <description>', 'shown with the endpoint')
    .option('--after <number>', 'start after this number (default: with what comes next)', sequenceOption())
    .action(async (url: string, options: AfterOptions & { types?: string; description?: string }) => {
      const { types, description, after } = options;
      const body = { url, types: types?.split(','), description, after };
      show(options, await openApi(config, options).post<Shown>(PATH, body));
    });
}

function addTest(webhooks: Command, config: Config): void {
  withExamples(askingApi(webhooks.command('test').description('send a test, once')), [
    `webhooks test ${EXAMPLE}`,
  ])
    .argument('<id>', 'whe_...')
    .action(async (id: string, options: ApiOptions) => {
      const tested = await openApi(config, options).post<WebhookDelivery>(`${pathOf(id)}/test`, {});
      const { status, response_status, error, duration_ms } = tested;
      const fields = { status, response: `${response_status ?? error}`, time: `${duration_ms} ms` };
      printResult(options, tested, fieldLines(fields));
    });
}

function addActs(webhooks: Command, config: Config): void {
  const act = (name: string, description: string, example: string) =>
    withExamples(askingApi(webhooks.command(name).description(description)), [
      `webhooks ${example}`,
    ]).argument('<id>', 'whe_...');
  const post = async (id: string, name: string, { after, ...options }: AfterOptions) => {
    const body = after === undefined ? {} : { after };
    show(options, await openApi(config, options).post<Shown>(`${pathOf(id)}/${name}`, body));
  };
  act('pause', 'stop deliveries; changes wait', `pause ${EXAMPLE}`).action(
    (id: string, options: ApiOptions) => post(id, 'pause', options),
  );
  act('resume', 'go on with a paused or parked endpoint', `resume ${EXAMPLE}`)
    .option('--after <number>', 'go on after this number; what is passed over is skipped', sequenceOption())
    .action((id: string, options: AfterOptions) => post(id, 'resume', options));
  act('replay', 'send all changes after a number again', `replay ${EXAMPLE} --after 4711`)
    .requiredOption('--after <number>', 'the number', sequenceOption())
    .action((id: string, options: AfterOptions) => post(id, 'replay', options));
  act('rotate-secret', 'give an endpoint a new secret and show it once', `rotate-secret ${EXAMPLE}`).action(
    (id: string, options: ApiOptions) => post(id, 'rotate-secret', options),
  );
}

function addDeliveries(webhooks: Command, config: Config): void {
  withExamples(
    printingList(
      webhooks.command('deliveries').description('list the deliveries of an endpoint, newest first'),
    ),
    [`webhooks deliveries ${EXAMPLE} --status failing`],
  )
    .argument('<id>', 'whe_...')
    .option('--status <status>', 'pending, failing, delivered or skipped')
    .action(
      async (
        id: string,
        { limit, cursor, status, ...options }: ApiOptions & PageOptions & { status?: string },
      ) => {
        const query = { limit, cursor, status };
        const list = await openApi(config, options).get<List<WebhookDelivery>>(
          `${pathOf(id)}/deliveries`,
          query,
        );
        printList(options, list, {
          id: (delivery) => delivery.id,
          sequence: ({ sequence }) => (sequence === null ? null : `${sequence}`),
          type: ({ type }) => type,
          object: ({ object_id }) => object_id,
          status: (delivery) => delivery.status,
          attempts: ({ attempts }) => `${attempts}`,
          response: ({ response_status, error }) => (response_status === null ? error : `${response_status}`),
          next: ({ next_attempt_at }) => next_attempt_at,
        });
      },
    );
}

function pathOf(id: string): string {
  return `${PATH}/${encodeURIComponent(id)}`;
}

function show(options: ApiOptions, endpoint: Shown): void {
  const { id, url, status, status_reason, types, description, delivered_up_to, failing_since, secret } =
    endpoint;
  const fields = {
    id,
    url,
    status,
    reason: status_reason,
    types: types?.join(',') ?? 'all',
    description,
    'delivered up to': `${delivered_up_to}`,
    'failing since': failing_since,
    ...(typeof secret === 'string' ? { secret: `${secret} (shown only once)` } : {}),
  };
  printResult(options, endpoint, fieldLines(fields));
}
