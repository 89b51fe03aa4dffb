import type { Command } from 'commander';
import type { Config } from '../src/settings/config.ts';
import type { EventWithBilling, UsageEvent } from '../src/objects/event.ts';
import { askingApi, openApi, type ApiOptions } from './api.ts';
import { integerFrom, withExamples } from './help.ts';
import { untilInterrupted } from './interrupt.ts';
import { fieldLines, inColumns, jsonOf, printLine, printResult } from './output.ts';
import { newEvents } from './tail.ts';

const SHOWN_FIRST_MAX = 200;

type TailOptions = ApiOptions & { customer?: string; eventName?: string; limit: number; once: boolean };

/** Adds `events show` and `events tail`. */
export function addEvents(program: Command, config: Config): void {
  const events = program.command('events').description('usage events');

  withExamples(askingApi(events.command('show').description('show an event with its billing status')), [
    'events show evt_01k2m3n4p5q6r7s8t9v0w1x2y3',
  ])
    .argument('<id>', 'evt_...')
    .action(async (id: string, options: ApiOptions) => {
      const path = `/v1/events/${encodeURIComponent(id)}`;
      const event = await openApi(config, options).get<EventWithBilling>(path);
      printResult(options, event, textOf(event));
    });

  withExamples(
    askingApi(
      events
        .command('tail')
        .description('show the events with the newest timestamps, then follow new events until Ctrl-C'),
    ),
    ['events tail', 'events tail --customer acme --event-name api_call', 'events tail --once --json'],
  )
    .option('--customer <id>', 'only for this customer')
    .option('--event-name <name>', 'only with this event name')
    .option('--limit <number>', 'number of events to show first', integerFrom(1, SHOWN_FIRST_MAX), 10)
    .option('--once', 'exit after the first events', false)
    .action((options: TailOptions) => tail(config, options));
}

async function tail(config: Config, options: TailOptions): Promise<void> {
  const { customer: customer_id, eventName: event_name, limit, once, json } = options;
  const signal = untilInterrupted();
  const selection = { filter: { customer_id, event_name }, shown_first: limit, signal };
  try {
    for await (const events of newEvents(openApi(config, options), selection)) {
      for (const event of events) printLine(json ? jsonOf(event) : lineOf(event));
      if (once) return;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

function lineOf({ timestamp, event_name, customer_id, id, properties }: UsageEvent): string {
  return `${timestamp}  ${event_name}  ${customer_id}  ${id}  ${jsonOf(properties)}`;
}

function textOf({ billing, livemode: _, object: __, properties, ...fields }: EventWithBilling): string {
  const rows = billing.map(({ status, reason, charge_id, invoice_id, line_item_id }) =>
    [status, reason, charge_id, invoice_id, line_item_id].map((cell) => cell ?? '-'),
  );
  return [
    fieldLines({ ...fields, properties: jsonOf(properties) }),
    '',
    inColumns([['BILLING', 'REASON', 'CHARGE', 'INVOICE', 'LINE ITEM'], ...rows]),
  ].join('\n');
}
