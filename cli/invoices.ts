import { mkdir } from 'node:fs/promises';
import { Option, type Command } from 'commander';
import { COLLECTION_STATUSES } from '../src/domain/collection/schedule.ts';
import type { Config } from '../src/settings/config.ts';
import type { Invoice } from '../src/objects/invoice.ts';
import type { List } from '../src/objects/parts.ts';
import { askingApi, openApi, printingList, type ApiOptions, type PageOptions } from './api.ts';
import { exportMonth } from './export.ts';
import { withExamples } from './help.ts';
import { parseMonth } from './month.ts';
import { printList, printResult } from './output.ts';

type ListOptions = ApiOptions &
  PageOptions &
  Partial<Pick<Invoice, 'status' | 'overdue'>> &
  Partial<Record<'customer' | 'collection', string>>;
type ExportOptions = ApiOptions & { month: string; out: string };

const STATUSES = ['draft', 'open', 'paid', 'void'];

/** Adds `invoices list` and `invoices export`. */
export function addInvoices(program: Command, config: Config): void {
  const invoices = program.command('invoices').description('lists of invoices, and all of a month');

  withExamples(printingList(invoices.command('list').description('invoices, newest first')), [
    'invoices list --customer acme --status open',
    'invoices list --live --overdue',
  ])
    .option('--customer <id>', 'only for this customer')
    .addOption(new Option('--status <status>', 'only with this status').choices(STATUSES))
    .addOption(
      new Option('--collection <status>', 'only with this state of planned charges').choices(
        COLLECTION_STATUSES,
      ),
    )
    .option('--overdue', 'only open invoices whose due date is over', false)
    .action(async (options: ListOptions) => {
      const { limit, cursor, customer: customer_id, status, collection } = options;
      const filter = { customer_id, status, collection, overdue: options.overdue ? 'true' : undefined };
      const api = openApi(config, options);
      const list = await api.get<List<Invoice>>('/v1/invoices', { ...filter, limit, cursor });
      printList(options, list, {
        id: ({ id }) => id,
        number: (invoice) => invoice.number,
        customer: (invoice) => invoice.customer_id,
        status: (invoice) => invoice.status,
        total: ({ total, currency }) => `${total} ${currency}`,
        due: ({ amount_due }) => amount_due,
        due_date: ({ due_date, overdue }) => (overdue ? `${due_date} overdue` : due_date),
      });
    });

  withExamples(
    askingApi(
      invoices
        .command('export')
        .description(
          'save the invoices issued in a month, by the day that each invoice prints, and their line items as CSV, and every ' +
            'invoice as PDF; when repeated, replaces the CSV files and the PDFs of void invoices, and keeps the other PDFs',
        ),
    ),
    [
      'invoices export --month 2026-10 --out october',
      'invoices export --live --month 2026-10 --out /srv/books/2026-10',
    ],
  )
    .requiredOption('--month <month>', 'such as 2026-10', parseMonth)
    .requiredOption('--out <folder>', 'folder for the files; it is created if it does not exist')
    .action(async ({ month, out, ...options }: ExportOptions) => {
      const api = openApi(config, options);
      await mkdir(out, { recursive: true });
      const done = await exportMonth(api, { month, folder: out });
      const { invoices: count, pdfs_written, pdfs_kept } = done;
      printResult(
        options,
        { object: 'export', month, folder: out, ...done },
        `${count} invoices of ${month} are in ${out}: ${pdfs_written} PDFs written, ${pdfs_kept} kept`,
      );
    });
}
