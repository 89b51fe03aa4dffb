import { Option, type Command } from 'commander';
import type { Config } from '../config.ts';
import type { SubscriptionObject } from '../db/subscriptions/subscriptions.ts';
import { openApi, printingList, type ApiOptions, type PageOptions } from './api.ts';
import { withExamples } from './help.ts';
import { printList, type List } from './output.ts';

type Options = ApiOptions & PageOptions & { customer?: string; status?: string; attention: boolean };

/** Adds `subscriptions list`. */
export function addSubscriptions(program: Command, config: Config): void {
  const subscriptions = program.command('subscriptions').description("customers' subscriptions");
  const statuses = ['pending', 'trialing', 'active', 'canceled'];

  withExamples(printingList(subscriptions.command('list').description('subscriptions, newest first')), [
    'subscriptions list --customer acme',
    'subscriptions list --attention --live',
  ])
    .option('--customer <id>', 'only for this customer')
    .addOption(new Option('--status <status>', 'only with this status').choices(statuses))
    .option('--attention', 'only subscriptions that need attention, with the reason', false)
    .action(async (options: Options) => {
      const { limit, cursor, customer: customer_id, status, attention } = options;
      const api = openApi(config, options);
      const filter = { customer_id, status, attention: attention ? 'true' : undefined };
      const list: List<SubscriptionObject> = await api.get('/v1/subscriptions', { ...filter, limit, cursor });
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
