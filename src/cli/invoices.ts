import { mkdir } from 'node:fs/promises';
import { InvalidArgumentError, type Command } from 'commander';
import type { Config } from '../config.ts';
import { askingApi, openApi, type ApiOptions } from './api.ts';
import { exportMonth } from './export.ts';
import { withExamples } from './help.ts';
import { printResult } from './output.ts';

type ExportOptions = ApiOptions & { month: string; out: string };

/** Adds `invoices export`. */
export function addInvoices(program: Command, config: Config): void {
  const invoices = program.command('invoices').description('all invoices of a month');

  withExamples(
    askingApi(
      invoices
        .command('export')
        .description(
          'save the invoices issued in a month (UTC) and their line items as CSV, and every invoice as PDF; when repeated, ' +
            'replaces the CSV files and the PDFs of void invoices, and keeps the other PDFs',
        ),
    ),
    [
      'invoices export --month 2026-10 --out october',
      'invoices export --live --month 2026-10 --out /srv/books/2026-10',
    ],
  )
    .requiredOption('--month <month>', 'such as 2026-10', readMonth)
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

function readMonth(text: string): string {
  if (/^\d{4}-(0[1-9]|1[0-2])$/.test(text)) return text;
  throw new InvalidArgumentError('It must be a month such as 2026-10.');
}
