import { Option, type Command } from 'commander';
import type { Config } from '../src/settings/config.ts';
import type { InvoiceItem } from '../src/objects/invoice-item.ts';
import { INVOICE_ITEM_STATUSES } from '../src/domain/lines/invoice-item.ts';
import type { List } from '../src/objects/parts.ts';
import { askingApi, openApi, printingList, type ApiOptions, type PageOptions } from './api.ts';
import { withExamples } from './help.ts';
import { fieldLines, printList, printResult } from './output.ts';

const ITEMS = '/v1/invoice-items';

type ListOptions = ApiOptions & PageOptions & { customer?: string; status?: string };
type AddOptions = ApiOptions & { description: string; quantity?: string; subscription?: string };

/** Adds `items list`, `add` and `delete`. */
export function addItems(program: Command, config: Config): void {
  const items = program.command('items').description('amounts that a person puts on the next invoice');
  const statuses = [...INVOICE_ITEM_STATUSES];

  withExamples(printingList(items.command('list').description('invoice items, newest first')), [
    'items list --customer acme --status pending',
  ])
    .option('--customer <id>', 'only for this customer')
    .addOption(new Option('--status <status>', 'only with this status').choices(statuses))
    .action(async (options: ListOptions) => {
      const { limit, cursor, customer: customer_id, status } = options;
      const api = openApi(config, options);
      const list = await api.get<List<InvoiceItem>>(ITEMS, { customer_id, status, limit, cursor });
      printList(options, list, {
        id: ({ id }) => id,
        customer: ({ customer_id: of }) => of,
        status: (item) => item.status,
        description: ({ description }) => description,
        amount: ({ amount, currency }) => `${amount} ${currency}`,
        invoice: ({ invoice_id }) => invoice_id,
      });
    });

  withExamples(
    askingApi(items.command('add').description('put an amount on the next invoice; below 0 for a rebate')),
    [
      "items add acme 80 --quantity 2.5 --description 'Import, per hour'",
      "items add acme --description 'For the outage' -- -10",
    ],
  )
    .argument('<customer>', 'cus_... or your external id')
    .argument('<unit_amount>', 'in the currency of the customer')
    .requiredOption('--description <text>', 'printed on the invoice')
    .option('--quantity <number>', '(default: 1)')
    .option('--subscription <id>', '(default: the one whose invoice comes next)')
    .action(async (customer_id: string, unit_amount: string, options: AddOptions) => {
      const { description, quantity, subscription: subscription_id } = options;
      const body = { customer_id, subscription_id, description, quantity, unit_amount };
      const item = await openApi(config, options).post<InvoiceItem>(ITEMS, body);
      printResult(options, item, textOf(item));
    });

  withExamples(askingApi(items.command('delete').description('delete a pending item')), [
    'items delete ii_01k2m3n4p5q6r7s8t9v0w1x2y3',
  ])
    .argument('<id>', 'ii_...')
    .action(async (id: string, options: ApiOptions) => {
      const path = `${ITEMS}/${encodeURIComponent(id)}`;
      const { body } = await openApi(config, options).call<{ id: string }>('DELETE', path);
      printResult(options, body, `deleted ${body.id}`);
    });
}

function textOf(item: InvoiceItem): string {
  const { id, status, subscription_id, description, quantity, unit_amount, amount, currency, invoice_id } =
    item;
  return fieldLines({
    id,
    status,
    subscription_id,
    description,
    quantity,
    unit_amount,
    amount: `${amount} ${currency}`,
    invoice_id,
  });
}
