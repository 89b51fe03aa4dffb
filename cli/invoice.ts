import type { Command } from 'commander';
import type { Config } from '../src/settings/config.ts';
import type { Invoice } from '../src/objects/invoice.ts';
import type { RegenerationPreview } from '../src/objects/regeneration.ts';
import { invoiceTable } from '../dev/invoice-table.ts';
import { askingApi, openApi, type ApiOptions } from './api.ts';
import { askFirst } from './confirmation.ts';
import { withExamples } from './help.ts';
import { printLine, printResult } from './output.ts';
import { previewText, regenerate } from './regeneration.ts';

type RegenerateOptions = ApiOptions & { reason?: string; yes: boolean };

/** Adds `invoice show` and `invoice regenerate`. */
export function addInvoice(program: Command, config: Config): void {
  const invoice = program.command('invoice').description('invoices');

  withExamples(
    askingApi(invoice.command('show').description('show an invoice with its line items, tiers and totals')),
    [
      'invoice show inv_01k2m3n4p5q6r7s8t9v0w1x2y3',
      'invoice show inv_01k2m3n4p5q6r7s8t9v0w1x2y3 --live --json',
    ],
  )
    .argument('<id>', 'inv_...')
    .action(async (id: string, options: ApiOptions) => {
      const stored_invoice = await openApi(config, options).get<Invoice>(pathOf(id));
      printResult(options, stored_invoice, invoiceTable(stored_invoice));
    });

  withExamples(
    askingApi(
      invoice
        .command('regenerate')
        .description('preview the changes, ask for confirmation, void the invoice and bill its period again'),
    ),
    [
      'invoice regenerate inv_01k2m3n4p5q6r7s8t9v0w1x2y3',
      "invoice regenerate inv_01k2m3n4p5q6r7s8t9v0w1x2y3 --reason 'Events came late' --yes",
    ],
  )
    .argument('<id>', 'inv_...')
    .option('--reason <reason>', 'reason, stored with the voided invoice')
    .option('-y, --yes', 'do not ask for confirmation; required with --json and without a terminal', false)
    .action((id: string, options: RegenerateOptions) => showAndRegenerate(config, id, options));
}

function pathOf(id: string): string {
  return `/v1/invoices/${encodeURIComponent(id)}`;
}

/** Prints one document with --json: with --yes the new invoice, without it the changes. */
async function showAndRegenerate(config: Config, id: string, options: RegenerateOptions): Promise<void> {
  const { json, yes, reason } = options;
  const api = openApi(config, options);
  const preview = await api.post<RegenerationPreview>(`${pathOf(id)}/regenerate`, { dry_run: true });
  if (!json || !yes) printResult(options, preview, previewText(preview));
  await askFirst({ yes, json }, 'Regenerate?');
  const made = await regenerate(api, id, reason);
  if (!json) printLine('');
  printResult(options, made, invoiceTable(made));
}
