import type { Command } from 'commander';
import type { Config } from '../src/settings/config.ts';
import type { Payment } from '../src/objects/payment.ts';
import type { List } from '../src/objects/parts.ts';
import { askingApi, openApi, printingList, type ApiOptions, type PageOptions } from './api.ts';
import { withExamples } from './help.ts';
import { fieldLines, printList, printResult } from './output.ts';

type ListOptions = ApiOptions & PageOptions & { reference?: string };
type DepositOptions = ApiOptions & { reference?: string; paidAt?: string; allowDuplicate?: true };
type RecordOptions = DepositOptions & { amount?: string; toBalance?: true };

const REFERENCE = ['--reference <text>', 'such as that of the bank transfer'] as const;
const PAID_AT = ['--paid-at <instant>', '(default: now)'] as const;
const ALLOW_DUPLICATE = [
  '--allow-duplicate',
  'record it although a payment with the same reference, amount and day stands',
] as const;

/** Adds `payments list`, `record`, `deposit`, `reverse` and `refund`. */
export function addPayments(program: Command, config: Config): void {
  const payments = program
    .command('payments')
    .description('what customers paid, for invoices and in advance');
  addList(payments, config);
  addRecord(payments, config);
  addDeposit(payments, config);
  addReverse(payments, config);
  addRefund(payments, config);
}

const pathOf = (invoice: string) => `/v1/invoices/${encodeURIComponent(invoice)}/payments`;

function addList(payments: Command, config: Config): void {
  withExamples(printingList(payments.command('list').description('payments, newest first')), [
    "payments list --reference 'Transfer 4711'",
  ])
    .option('--reference <text>', 'only with this reference')
    .action(async ({ limit, cursor, reference, ...options }: ListOptions) => {
      const api = openApi(config, options);
      const list = await api.get<List<Payment>>('/v1/payments', { reference, limit, cursor });
      printList(options, list, {
        id: ({ id }) => id,
        customer: ({ customer_id }) => customer_id,
        invoice: ({ invoice_id }) => invoice_id,
        amount: ({ amount, currency }) => `${amount} ${currency}`,
        reference: (payment) => payment.reference,
        paid_at: ({ paid_at }) => paid_at,
        reversed_at: ({ reversed_at }) => reversed_at,
      });
    });
}

function addRecord(payments: Command, config: Config): void {
  withExamples(askingApi(payments.command('record').description('record a payment for an open invoice')), [
    "payments record inv_01k2m3n4p5q6r7s8t9v0w1x2y3 --reference 'Transfer 4711'",
    'payments record inv_01k2m3n4p5q6r7s8t9v0w1x2y3 --live --amount 50.00 --paid-at 2026-10-31T12:00:00Z',
  ])
    .argument('<invoice>', 'inv_...')
    .option('--amount <amount>', '(default: all that is due)')
    .option('--to-balance', 'add what is above the amount due to the balance of the customer')
    .option(...REFERENCE)
    .option(...PAID_AT)
    .option(...ALLOW_DUPLICATE)
    .action(async (invoice: string, options: RecordOptions) => {
      const { amount, toBalance: to_balance } = options;
      const excess = to_balance && 'balance';
      const api = openApi(config, options);
      const payment = await api.post<Payment>(pathOf(invoice), { amount, excess, ...recordedOf(options) });
      printResult(options, payment, textOf(payment));
    });
}

function addDeposit(payments: Command, config: Config): void {
  withExamples(
    askingApi(
      payments
        .command('deposit')
        .description('record a payment in advance: all of it goes to the balance of the customer'),
    ),
    [
      "payments deposit acme 100.00 --reference 'Transfer 4711'",
      'payments deposit acme 100.00 --live --paid-at 2026-10-31',
    ],
  )
    .argument('<customer>', 'cus_... or your external id')
    .argument('<amount>', 'in the currency of the customer')
    .option(...REFERENCE)
    .option(...PAID_AT)
    .option(...ALLOW_DUPLICATE)
    .action(async (customer: string, amount: string, options: DepositOptions) => {
      const path = `/v1/customers/${encodeURIComponent(customer)}/payments`;
      const payment = await openApi(config, options).post<Payment>(path, { amount, ...recordedOf(options) });
      printResult(options, payment, textOf(payment));
    });
}

function addReverse(payments: Command, config: Config): void {
  withExamples(
    askingApi(
      payments
        .command('reverse')
        .description('reverse a payment that the bank took back, or that was recorded by mistake'),
    ),
    [
      "payments reverse pay_01k2m3n4p5q6r7s8t9v0w1x2y3 --reason 'Returned by the bank'",
      "payments reverse inv_01k2m3n4p5q6r7s8t9v0w1x2y3 pay_01k2m3n4p5q6r7s8t9v0w1x2y3 --reason 'Other customer'",
    ],
  )
    .usage('[options] [invoice] <payment>')
    .argument('<id>', 'pay_..., or before it the inv_... of its invoice')
    .argument('[payment]', 'pay_... of that invoice')
    .requiredOption('--reason <reason>', 'kept with the payment')
    .action(async (id: string, payment: string | undefined, options: ApiOptions & { reason: string }) => {
      const path =
        payment === undefined
          ? `/v1/payments/${encodeURIComponent(id)}/reverse`
          : `${pathOf(id)}/${encodeURIComponent(payment)}/reverse`;
      const { reason } = options;
      const reversed = await openApi(config, options).post<Payment>(path, { reason });
      printResult(options, reversed, textOf(reversed));
    });
}

function addRefund(payments: Command, config: Config): void {
  withExamples(
    askingApi(payments.command('refund').description('give money of a payment of the payment provider back')),
    [
      "payments refund pay_01k2m3n4p5q6r7s8t9v0w1x2y3 --amount 30.00 --reason 'One week without service'",
      "payments refund pay_01k2m3n4p5q6r7s8t9v0w1x2y3 --reason 'Ordered twice'",
    ],
  )
    .argument('<payment>', 'pay_...')
    .option('--amount <amount>', '(default: all that is left)')
    .requiredOption('--reason <reason>', 'kept with the payment')
    .action(async (payment: string, options: ApiOptions & { amount?: string; reason: string }) => {
      const { amount, reason } = options;
      const path = `/v1/payments/${encodeURIComponent(payment)}/refund`;
      const refunded = await openApi(config, options).post<Payment>(path, { amount, reason });
      printResult(options, refunded, textOf(refunded));
    });
}

function recordedOf({ reference, paidAt: paid_at, allowDuplicate: allow_duplicate }: DepositOptions) {
  return { reference, paid_at, allow_duplicate };
}

function textOf({ id, invoice_id, amount, to_balance, currency, ...payment }: Payment): string {
  const { customer_id, reference, paid_at, reversed_at } = payment;
  return fieldLines({
    id,
    invoice_id,
    customer_id,
    amount: `${amount} ${currency}`,
    to_balance: `${to_balance} ${currency}`,
    reference,
    paid_at,
    reversed_at,
  });
}
