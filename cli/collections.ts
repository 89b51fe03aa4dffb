import { Option, type Command } from 'commander';
import { ATTEMPT_STATUSES } from '../src/domain/collection/attempt.ts';
import { PAUSE_REASONS } from '../src/domain/invoice/collection-pause.ts';
import type { CollectionCase } from '../src/objects/collection-case.ts';
import type { CollectionPause } from '../src/objects/collection-pause.ts';
import type { List } from '../src/objects/parts.ts';
import type { PaymentAttempt } from '../src/objects/payment-attempt.ts';
import type { PaymentSession } from '../src/objects/payment-session.ts';
import type { Statement } from '../src/objects/statement.ts';
import type { Config } from '../src/settings/config.ts';
import { askingApi, openApi, printingList, type ApiOptions, type PageOptions } from './api.ts';
import { withExamples } from './help.ts';
import { fieldLines, inColumns, printList, printResult } from './output.ts';

const INVOICE = 'inv_01k2m3n4p5q6r7s8t9v0w1x2y3';

type ListOptions = ApiOptions & PageOptions & { customer?: string; overdue?: true; paused?: true };
type PauseOptions = ApiOptions & Partial<Record<'reason' | 'until' | 'note', string>>;
type AttemptOptions = ApiOptions & PageOptions & Partial<Record<'invoice' | 'customer' | 'status', string>>;
type Paused = { id: string; collection_pause: CollectionPause | null };

/** Adds `collections list`, `pause`, `resume`, `statement`, `charge`, `attempts` and `link`. */
export function addCollections(program: Command, config: Config): void {
  const collections = program
    .command('collections')
    .description('invoices that are overdue or paused, what customers owe, and charges');
  addList(collections, config);
  addPause(collections, config);
  addResume(collections, config);
  addStatement(collections, config);
  addCharge(collections, config);
  addAttempts(collections, config);
  addLink(collections, config);
}

function addList(collections: Command, config: Config): void {
  const list = collections
    .command('list')
    .description('list open invoices that are overdue or paused, the earliest due date first');
  withExamples(printingList(list), ['collections list --live', 'collections list --paused'])
    .option('--customer <customer>', 'only those of this customer, by external_id or cus_...')
    .option('--overdue', 'only those whose due date is over')
    .option('--paused', 'only those that are paused, or whose customer is')
    .action(async ({ limit, cursor, customer, overdue, paused, ...options }: ListOptions) => {
      const flags = { overdue: overdue && 'true', paused: paused && 'true' };
      const query = { limit, cursor, customer_id: customer, ...flags };
      const cases = await openApi(config, options).get<List<CollectionCase>>('/v1/collections', query);
      printList(options, cases, {
        invoice: ({ invoice_id }) => invoice_id,
        number: ({ number }) => number,
        customer: ({ customer_id }) => customer_id,
        due: ({ amount_due, currency }) => `${amount_due} ${currency}`,
        'due date': ({ due_date }) => due_date,
        'days overdue': ({ days_overdue }) => `${days_overdue}`,
        'last reminder': ({ last_reminder }) =>
          last_reminder && (last_reminder.sent_at ?? last_reminder.status),
        paused: ({ invoice_pause, customer_pause }) => pauseInWords(invoice_pause ?? customer_pause),
      });
    });
}

function addPause(collections: Command, config: Config): void {
  const pause = collections
    .command('pause')
    .description('pause reminders and charges of an invoice, or of all that a customer owes');
  withExamples(askingApi(pause), [
    `collections pause ${INVOICE} --reason disputed`,
    "collections pause acme --reason promised --until 2026-10-31 --note 'Pays with the wages'",
  ])
    .argument('<object>', 'inv_..., or the customer by external_id or cus_...')
    .addOption(new Option('--reason <reason>').choices(PAUSE_REASONS).makeOptionMandatory())
    .option('--until <day>', 'the last day (default: until it is resumed)')
    .option('--note <text>', 'for people of the seller alone')
    .action(async (object: string, { reason, until, note, ...options }: PauseOptions) => {
      const api = openApi(config, options);
      show(options, await api.post<Paused>(`${pathOf(object)}/pause-collection`, { reason, until, note }));
    });
}

function addResume(collections: Command, config: Config): void {
  const resume = collections.command('resume').description('end the pause of an invoice or of a customer');
  withExamples(askingApi(resume), [`collections resume ${INVOICE}`])
    .argument('<object>', 'inv_..., or the customer by external_id or cus_...')
    .action(async (object: string, options: ApiOptions) => {
      show(options, await openApi(config, options).post<Paused>(`${pathOf(object)}/resume-collection`, {}));
    });
}

function addStatement(collections: Command, config: Config): void {
  const statement = collections.command('statement').description('show what a customer owes now');
  withExamples(askingApi(statement), ['collections statement acme'])
    .argument('<customer>', 'by external_id or cus_...')
    .action(async (customer: string, options: ApiOptions) => {
      const path = `/v1/customers/${encodeURIComponent(customer)}/statement`;
      const of_customer = await openApi(config, options).get<Statement>(path);
      printResult(options, of_customer, textOf(of_customer));
    });
}

function addCharge(collections: Command, config: Config): void {
  const charge = collections
    .command('charge')
    .description('charge what is due on an open invoice, and wait some seconds for the outcome');
  withExamples(askingApi(charge), [`collections charge ${INVOICE} --live`])
    .argument('<invoice>', 'inv_...')
    .option('--method <method>', 'pmd_... of the customer (default: its default method)')
    .action(async (invoice: string, { method, ...options }: ApiOptions & { method?: string }) => {
      const path = `/v1/invoices/${encodeURIComponent(invoice)}/charge`;
      const api = openApi(config, options);
      const attempt = await api.post<PaymentAttempt>(path, { payment_method_id: method });
      const { id, status, amount, currency, decline_code, payment_method_id, payment_id } = attempt;
      const fields = {
        id,
        status,
        amount: `${amount} ${currency}`,
        'decline code': decline_code,
        method: payment_method_id,
        payment: payment_id,
      };
      printResult(options, attempt, fieldLines(fields));
    });
}

function addAttempts(collections: Command, config: Config): void {
  const attempts = collections.command('attempts').description('list attempts to charge, newest first');
  withExamples(printingList(attempts), [
    `collections attempts --invoice ${INVOICE}`,
    'collections attempts --status declined --live',
  ])
    .option('--invoice <invoice>', 'only those of this invoice, inv_...')
    .option('--customer <customer>', 'only those of this customer, by external_id or cus_...')
    .addOption(new Option('--status <status>', 'only those with this status').choices(ATTEMPT_STATUSES))
    .action(async ({ limit, cursor, invoice, customer, status, ...options }: AttemptOptions) => {
      const query = { limit, cursor, invoice_id: invoice, customer_id: customer, status };
      const list = await openApi(config, options).get<List<PaymentAttempt>>('/v1/payment-attempts', query);
      printList(options, list, {
        attempt: ({ id }) => id,
        invoice: ({ invoice_id }) => invoice_id,
        number: ({ number }) => `${number}`,
        amount: ({ amount, currency }) => `${amount} ${currency}`,
        method: ({ payment_method_id }) => payment_method_id,
        status: (attempt) => attempt.status,
        'decline code': ({ decline_code }) => decline_code,
        payment: ({ payment_id }) => payment_id,
      });
    });
}

function addLink(collections: Command, config: Config): void {
  const link = collections
    .command('link')
    .description('make a page on which a payer pays what is due on an open invoice, for half an hour');
  withExamples(askingApi(link), [`collections link ${INVOICE} --live`])
    .argument('<invoice>', 'inv_...')
    .option('--save', 'save the method for later charges')
    .action(async (invoice: string, { save = false, ...options }: ApiOptions & { save?: boolean }) => {
      const path = `/v1/invoices/${encodeURIComponent(invoice)}/payment-sessions`;
      const session = await openApi(config, options).post<PaymentSession>(path, { save });
      const { id, url, amount, currency, expires_at } = session;
      const fields = { id, amount: `${amount} ${currency}`, until: expires_at, url };
      printResult(options, session, fieldLines(fields));
    });
}

/** The path of an invoice, or else of a customer. */
function pathOf(object: string): string {
  return `/v1/${object.startsWith('inv_') ? 'invoices' : 'customers'}/${encodeURIComponent(object)}`;
}

function show(options: ApiOptions, paused: Paused): void {
  const { id, collection_pause } = paused;
  const fields = { id, paused: pauseInWords(collection_pause), note: collection_pause?.note ?? null };
  printResult(options, paused, fieldLines(fields));
}

function pauseInWords(pause: CollectionPause | null): string | null {
  if (pause === null) return null;
  return pause.until === null ? pause.reason : `${pause.reason} until ${pause.until}`;
}

function textOf(statement: Statement): string {
  const { customer_id: customer, as_of, data } = statement;
  const money = (amount: string) => `${amount} ${statement.currency}`;
  const sums = fieldLines({
    customer,
    'as of': as_of,
    due: money(statement.amount_due),
    overdue: money(statement.overdue_amount),
    balance: money(statement.balance),
  });
  const rows = data.map(({ number, due_date, days_overdue, amount_due, pause_reason: paused }) => [
    number,
    due_date,
    `${days_overdue}`,
    money(amount_due),
    paused ?? '-',
  ]);
  const head = ['NUMBER', 'DUE DATE', 'DAYS OVERDUE', 'DUE', 'PAUSED'];
  return rows.length === 0 ? sums : `${sums}\n\n${inColumns([head, ...rows])}`;
}
