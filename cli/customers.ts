import { Option, type Command } from 'commander';
import { CHARGE_MODES } from '../src/domain/collection/schedule.ts';
import type { Config } from '../src/settings/config.ts';
import type { Customer } from '../src/objects/customer.ts';
import type { List } from '../src/objects/parts.ts';
import { askingApi, openApi, printingList, type ApiOptions, type PageOptions } from './api.ts';
import { withExamples } from './help.ts';
import { fieldLines, jsonOf, printList, printResult } from './output.ts';

const CUSTOMERS = '/v1/customers';

type NewCustomer = {
  name?: string;
  email?: string;
  billingEmails?: string;
  currency?: string;
  taxRate?: string;
  language?: string;
  reminderDays?: string;
  chargeMode?: string;
};

/** Adds `customers list`, `show`, `create`, `redact` and `delete`. */
export function addCustomers(program: Command, config: Config): void {
  const customers = program.command('customers').description('customers of the account');

  withExamples(printingList(customers.command('list').description('customers, newest first')), [
    'customers list',
    'customers list --live --limit 200 --json',
  ]).action(async ({ limit, cursor, ...options }: ApiOptions & PageOptions) => {
    const list = await openApi(config, options).get<List<Customer>>(CUSTOMERS, { limit, cursor });
    printList(options, list, {
      id: ({ id }) => id,
      external_id: ({ external_id }) => external_id,
      name: ({ name }) => name,
      currency: ({ currency }) => currency,
      credit: ({ credit_remaining }) => `${credit_remaining}`,
      created_at: ({ created_at }) => created_at,
    });
  });

  withExamples(
    askingApi(customers.command('show').description('show a customer with the remaining credit')),
    ['customers show acme'],
  )
    .argument('<id>', 'cus_... or your external id')
    .action(async (id: string, options: ApiOptions) => {
      const customer = await openApi(config, options).get<Customer>(`${CUSTOMERS}/${encodeURIComponent(id)}`);
      printResult(options, customer, textOf(customer));
    });

  addCreation(customers, config);
  addRedaction(customers, config);
  addDeletion(customers, config);
}

function addCreation(customers: Command, config: Config): void {
  withExamples(
    askingApi(
      customers
        .command('create')
        .description('create a customer, or show the existing customer if it is equal'),
    ),
    ['customers create acme', "customers create acme --name 'Acme Ltd' --currency EUR --tax-rate 19"],
  )
    .argument('<external_id>', 'your own id of the customer')
    .option('--name <name>')
    .option('--email <email>')
    .option('--billing-emails <addresses>', 'where emails go in place of it, separated by commas')
    .option('--language <language>', 'of its emails (default: language of the account)')
    .option('--reminder-days <days>', 'such as -3,1,7 from the due date; none for no reminders')
    .addOption(
      new Option(
        '--charge-mode <mode>',
        'how its invoices are charged (default: as the account says)',
      ).choices(CHARGE_MODES),
    )
    .option('--currency <code>', 'ISO 4217 code (default: currency of the account)')
    .option('--tax-rate <percent>', '(default: tax rate of the account)')
    .action(async (external_id: string, options: ApiOptions & NewCustomer) => {
      const { name, email, billingEmails, currency, taxRate: tax_rate, language, reminderDays } = options;
      const { chargeMode: charge_mode } = options;
      const billing_emails = billingEmails?.split(',');
      const reminder_days = reminderDays === undefined ? undefined : daysOf(reminderDays);
      const terms = { currency, tax_rate, language, reminder_days, charge_mode };
      const body = { external_id, name, email, billing_emails, ...terms };
      const customer = await openApi(config, options).post<Customer>(CUSTOMERS, body);
      printResult(options, customer, textOf(customer));
    });
}

/** The days of an option; what is no number stays, for the API to refuse. */
function daysOf(text: string): (number | string)[] {
  if (text === 'none') return [];
  return text.split(',').map((day) => (/^-?\d+$/.test(day.trim()) ? Number(day) : day));
}

function addRedaction(customers: Command, config: Config): void {
  withExamples(
    askingApi(
      customers
        .command('redact')
        .description(
          'erase a person: blank the customer and what was written about it, and remove properties from the events',
        ),
    ),
    ['customers redact acme', 'customers redact acme --property user_email --property ip --live'],
  )
    .argument('<id>', 'cus_... or your external id')
    .option('--property <name>', 'a property that the events lose; may be repeated', collected, [])
    .action(async (id: string, { property: properties, ...options }: ApiOptions & { property: string[] }) => {
      const path = `${CUSTOMERS}/${encodeURIComponent(id)}/redact`;
      const customer = await openApi(config, options).post<Customer>(path, { properties });
      printResult(options, customer, textOf(customer));
    });
}

function collected(value: string, values: string[]): string[] {
  return [...values, value];
}

function addDeletion(customers: Command, config: Config): void {
  withExamples(
    askingApi(
      customers
        .command('delete')
        .description(
          'delete a customer without subscriptions, events, credit grants, invoices, invoice items and balance entries',
        ),
    ),
    ['customers delete acme'],
  )
    .argument('<id>', 'cus_... or your external id')
    .action(async (id: string, options: ApiOptions) => {
      const path = `${CUSTOMERS}/${encodeURIComponent(id)}`;
      const { body } = await openApi(config, options).call<{ id: string }>('DELETE', path);
      printResult(options, body, `deleted ${body.id}`);
    });
}

function textOf(customer: Customer): string {
  const { id, external_id, name, email, currency, tax_rate, credit_remaining, created_at, metadata } =
    customer;
  const { redaction } = customer;
  return fieldLines({
    id,
    external_id,
    name,
    email,
    billing_emails: customer.billing_emails.join(',') || null,
    reminder_days: customer.reminder_days?.join(',') ?? null,
    charge_mode: customer.charge_mode,
    currency,
    tax_rate: `${tax_rate} %`,
    credit_remaining: `${credit_remaining}`,
    metadata: jsonOf(metadata),
    created_at,
    ...(redaction === null ? {} : redactionLines(redaction)),
  });
}

function redactionLines({ redacted_at, properties, events, kept }: NonNullable<Customer['redaction']>) {
  return {
    redacted_at,
    redacted_properties: properties.join(', '),
    redacted_events: events,
    kept: kept.join(', '),
  };
}
