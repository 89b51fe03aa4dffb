import { Option, type Command } from 'commander';
import type { Config } from '../src/settings/config.ts';
import { DISCOUNT_STATUSES } from '../src/domain/pricing/discount.ts';
import type { DiscountObject } from '../src/objects/discount.ts';
import type { List } from '../src/objects/parts.ts';
import { askingApi, openApi, printingList, type ApiOptions, type PageOptions } from './api.ts';
import { withExamples } from './help.ts';
import { fieldLines, printList, printResult } from './output.ts';

const DISCOUNTS = '/v1/discounts';
const EXAMPLE = 'dis_01k2m3n4p5q6r7s8t9v0w1x2y3';
const TIME = 'an instant, or a day in the time zone of the customer';

type ListOptions = ApiOptions & PageOptions & { customer?: string; subscription?: string; status?: string };
type CreateOptions = ApiOptions & {
  name: string;
  amount?: string;
  subscription?: string;
  event?: string[];
  from?: string;
  until?: string;
};

/** Adds `discounts list`, `get`, `create` and `end`. */
export function addDiscounts(program: Command, config: Config): void {
  const discounts = program
    .command('discounts')
    .description('percents off the lines of a customer, and amounts off its billing periods');
  addReads(discounts, config);

  withExamples(
    askingApi(
      discounts.command('create').description('take a percent, or an amount each billing period, off'),
    ),
    [
      'discounts create acme 10 --name Loyalty --from 2027-01-01 --until 2028-01-01',
      'discounts create acme 12.5 --name Launch --event api_call --event seats',
      'discounts create acme --amount 10 --name Rebate',
    ],
  )
    .argument('<customer>', 'cus_... or your external id')
    .argument('[percent]', 'above 0, at most 100; or --amount')
    .option('--amount <amount>', 'off each billing period of each subscription, net, in place of a percent')
    .requiredOption('--name <name>', 'printed on the invoice')
    .option('--subscription <id>', 'this one alone (default: each one of the customer)')
    .option('--event <name...>', 'the charges with these event names alone (default: all)')
    .option('--from <time>', `${TIME} (default: now)`)
    .option('--until <time>', `${TIME} (default: without an end)`)
    .action(async (customer_id: string, percent: string | undefined, options: CreateOptions) => {
      const { name, amount, subscription: subscription_id, event: event_names, from, until } = options;
      const body = { customer_id, subscription_id, name, percent, amount, event_names, from, until };
      const discount = await openApi(config, options).post<DiscountObject>(DISCOUNTS, body);
      printResult(options, discount, textOf(discount));
    });

  withExamples(askingApi(discounts.command('end').description('end a discount, or put its end earlier')), [
    `discounts end ${EXAMPLE}`,
    `discounts end ${EXAMPLE} --until 2027-07-01`,
  ])
    .argument('<id>', 'dis_...')
    .option('--until <time>', `${TIME} (default: now)`)
    .action(async (id: string, options: ApiOptions & { until?: string }) => {
      const { until } = options;
      const discount = await openApi(config, options).post<DiscountObject>(`${pathOf(id)}/end`, { until });
      printResult(options, discount, textOf(discount));
    });
}

function addReads(discounts: Command, config: Config): void {
  withExamples(printingList(discounts.command('list').description('discounts, newest first')), [
    'discounts list --customer acme --status active',
  ])
    .option('--customer <id>', 'only for this customer')
    .option('--subscription <id>', 'only those of this subscription alone')
    .addOption(new Option('--status <status>', 'only with this status').choices([...DISCOUNT_STATUSES]))
    .action(async (options: ListOptions) => {
      const { limit, cursor, customer: customer_id, subscription: subscription_id, status } = options;
      const query = { customer_id, subscription_id, status, limit, cursor };
      const list = await openApi(config, options).get<List<DiscountObject>>(DISCOUNTS, query);
      printList(options, list, {
        id: ({ id }) => id,
        customer: ({ customer_id: of }) => of,
        status: (discount) => discount.status,
        off: offOf,
        name: ({ name }) => name,
        from: ({ from }) => from,
        until: ({ until }) => until,
      });
    });

  withExamples(askingApi(discounts.command('get').description('show a discount')), [
    `discounts get ${EXAMPLE}`,
  ])
    .argument('<id>', 'dis_...')
    .action(async (id: string, options: ApiOptions) => {
      const discount = await openApi(config, options).get<DiscountObject>(pathOf(id));
      printResult(options, discount, textOf(discount));
    });
}

const pathOf = (id: string) => `${DISCOUNTS}/${encodeURIComponent(id)}`;

/** "10 %", "10.00 EUR". */
function offOf({ percent, amount, currency }: DiscountObject): string {
  return amount === null ? `${percent} %` : `${amount} ${currency}`;
}

function textOf(discount: DiscountObject): string {
  const { id, status, customer_id, subscription_id, name, percent, amount, currency } = discount;
  const { event_names, from, until } = discount;
  return fieldLines({
    id,
    status,
    customer_id,
    subscription_id,
    name,
    percent: percent && `${percent} %`,
    amount: amount && `${amount} ${currency}`,
    event_names: event_names && event_names.join(', '),
    from,
    until,
  });
}
