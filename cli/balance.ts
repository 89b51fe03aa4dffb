import type { Command } from 'commander';
import type { Config } from '../src/settings/config.ts';
import type { BalanceEntry } from '../src/objects/balance-entry.ts';
import type { List } from '../src/objects/parts.ts';
import { askingApi, openApi, printingList, type ApiOptions, type PageOptions } from './api.ts';
import { withExamples } from './help.ts';
import { fieldLines, printList, printResult } from './output.ts';

const entriesOf = (customer: string) => `/v1/customers/${encodeURIComponent(customer)}/balance-entries`;
const adjustmentsOf = (customer: string) =>
  `/v1/customers/${encodeURIComponent(customer)}/balance-adjustments`;

/** Adds `balance list` and `balance adjust`. */
export function addBalance(program: Command, config: Config): void {
  const balance = program.command('balance').description('money that a customer has in advance');

  withExamples(
    printingList(balance.command('list').description("what moved a customer's balance, newest first")),
    ['balance list acme'],
  )
    .argument('<customer>', 'cus_... or your external id')
    .action(async (customer: string, { limit, cursor, ...options }: ApiOptions & PageOptions) => {
      const api = openApi(config, options);
      const list = await api.get<List<BalanceEntry>>(entriesOf(customer), { limit, cursor });
      printList(options, list, {
        id: ({ id }) => id,
        time: ({ created_at }) => created_at,
        type: ({ type }) => type,
        amount: ({ amount, currency }) => `${amount} ${currency}`,
        reason: ({ reason }) => reason,
        invoice: ({ invoice_id }) => invoice_id,
      });
    });

  withExamples(
    askingApi(
      balance
        .command('adjust')
        .description('add to the balance of a customer, or take from it by a negative amount'),
    ),
    [
      "balance adjust acme 10.00 --reason 'For the long wait'",
      "balance adjust acme --reason 'Paid out by bank transfer' -- -40.00",
    ],
  )
    .argument('<customer>', 'cus_... or your external id')
    .argument('<amount>', 'in the currency of the customer')
    .requiredOption('--reason <reason>', 'shown with the entry')
    .action(async (customer: string, amount: string, options: ApiOptions & { reason: string }) => {
      const { reason } = options;
      const api = openApi(config, options);
      const entry = await api.post<BalanceEntry>(adjustmentsOf(customer), { amount, reason });
      const { id, type, currency } = entry;
      printResult(options, entry, fieldLines({ id, type, amount: `${entry.amount} ${currency}`, reason }));
    });
}
