import { Option, type Command } from 'commander';
import type { Config } from '../config.ts';
import type { SubscriptionObject } from '../db/subscriptions.ts';
import { openApi, printingList, type Api, type ApiOptions, type PageOptions } from './api.ts';
import { withExamples } from './help.ts';
import { printList, type List } from './output.ts';

const PAGE = 200;
const LOOKED_THROUGH_MAX = 20_000;

type Filter = { customer_id: string | undefined; status: string | undefined };
type Options = ApiOptions & PageOptions & { customer?: string; status?: string; attention: boolean };

export function addSubscriptions(program: Command, config: Config): void {
  const subscriptions = program.command('subscriptions').description("customers' subscriptions");
  const statuses = ['pending', 'trialing', 'active', 'canceled'];

  withExamples(printingList(subscriptions.command('list').description('subscriptions, newest first')), [
    'subscriptions list --customer acme',
    'subscriptions list --attention --live',
  ])
    .option('--customer <id>', "one customer's")
    .addOption(new Option('--status <status>', 'only these').choices(statuses))
    .option('--attention', 'only those that wait for a person, with the reason', false)
    .action(async (options: Options) => {
      const { limit, cursor, customer: customer_id, status, attention } = options;
      const api = openApi(config, options);
      const filter = { customer_id, status };
      const list = attention
        ? await needingAttention(api, filter, { limit, cursor })
        : await readPage(api, filter, { limit, cursor });
      printList(options, list, {
        id: ({ id }) => id,
        customer: (subscription) => subscription.customer_id,
        plan: ({ plan_id }) => plan_id,
        status: (subscription) => subscription.status,
        period_end: ({ current_period_end }) => current_period_end,
        attention: (subscription) => subscription.attention,
      });
    });
}

type Place = { limit: number; cursor: string | undefined };

function readPage(api: Api, filter: Filter, place: Place): Promise<List<SubscriptionObject>> {
  return api.get('/v1/subscriptions', { ...filter, ...place });
}

/** The API has no such filter: pages are read until there are enough, or so many have been looked through that it is time to say so. */
async function needingAttention(
  api: Api,
  filter: Filter,
  { limit, cursor }: Place,
): Promise<List<SubscriptionObject>> {
  const found: SubscriptionObject[] = [];
  for (let looked_through = 0; ; looked_through += PAGE) {
    const { data, next_cursor } = await readPage(api, filter, { limit: PAGE, cursor });
    found.push(...data.filter(({ attention }) => attention !== null));
    const is_done = found.length >= limit || looked_through + PAGE >= LOOKED_THROUGH_MAX;
    // Pages are kept whole, so that the cursor continues behind the last one.
    if (next_cursor === null || is_done)
      return { object: 'list', data: found, has_more: next_cursor !== null, next_cursor };
    cursor = next_cursor;
  }
}
