import type { Command } from 'commander';
import type { Config } from '../config.ts';
import type { Payment } from '../db/invoicing/payments.ts';
import { askingApi, openApi, printingList, type ApiOptions, type PageOptions } from './api.ts';
import { withExamples } from './help.ts';
import { fieldLines, printList, printResult, type List } from './output.ts';

type ListOptions = ApiOptions & PageOptions & { reference?: string };
type RecordOptions = ApiOptions & { amount?: string; reference?: string; paidAt?: string };

/** Adds `payments list`, `record` and `reverse`. */
export function addPayments(program: Command, config: Config): void {
  const payments = program.command('payments').description('what was paid for invoices');
  const pathOf = (invoice: string) => `/v1/invoices/${encodeURIComponent(invoice)}/payments`;

  withExamples(printingList(payments.command('list').description('payments, newest first')), [
    "payments list --reference 'Transfer 4711'",
  ])
    .option('--reference <text>', 'only with this reference')
    .action(async ({ limit, cursor, reference, ...options }: ListOptions) => {
      const api = openApi(config, options);
      const list = await api.get<List<Payment>>('/v1/payments', { reference, limit, cursor });
      printList(options, list, {
        id: ({ id }) => id,
        invoice: ({ invoice_id }) => invoice_id,
        amount: ({ amount, currency }) => `${amount} ${currency}`,
        reference: (payment) => payment.reference,
        paid_at: ({ paid_at }) => paid_at,
        reversed_at: ({ reversed_at }) => reversed_at,
      });
    });

  withExamples(askingApi(payments.command('record').description('record a payment for an open invoice')), [
    "payments record inv_01k2m3n4p5q6r7s8t9v0w1x2y3 --reference 'Transfer 4711'",
    'payments record inv_01k2m3n4p5q6r7s8t9v0w1x2y3 --live --amount 50.00 --paid-at 2026-10-31T12:00:00Z',
  ])
    .argument('<invoice>', 'inv_...')
    .option('--amount <amount>', '(default: all that is due)')
    .option('--reference <text>', 'such as that of the bank transfer')
    .option('--paid-at <instant>', '(default: now)')
    .action(async (invoice: string, options: RecordOptions) => {
      const { amount, reference, paidAt: paid_at } = options;
      const api = openApi(config, options);
      const payment = await api.post<Payment>(pathOf(invoice), { amount, reference, paid_at });
      printResult(options, payment, textOf(payment));
    });

  withExamples(
    askingApi(payments.command('reverse').description('reverse a payment that was recorded by mistake')),
    [
      "payments reverse inv_01k2m3n4p5q6r7s8t9v0w1x2y3 pay_01k2m3n4p5q6r7s8t9v0w1x2y3 --reason 'Other customer'",
    ],
  )
    .argument('<invoice>', 'inv_...')
    .argument('<payment>', 'pay_...')
    .requiredOption('--reason <reason>', 'kept with the payment')
    .action(async (invoice: string, payment: string, options: ApiOptions & { reason: string }) => {
      const path = `${pathOf(invoice)}/${encodeURIComponent(payment)}/reverse`;
      const { reason } = options;
      const reversed = await openApi(config, options).post<Payment>(path, { reason });
      printResult(options, reversed, textOf(reversed));
    });
}

function textOf({ id, invoice_id, amount, currency, reference, paid_at, reversed_at }: Payment): string {
  return fieldLines({ id, invoice_id, amount: `${amount} ${currency}`, reference, paid_at, reversed_at });
}
