import { parseArgs } from 'node:util';
import { messageOf } from '../src/process/message-of.ts';
import { DEFAULT_ROUNDS, type Figure } from './figure.ts';
import { FIGURES } from './figures.ts';

/** Two rounds of T13 bill this many in five minutes on two processors. */
const SUBSCRIPTIONS = 500;
const EVENTS = 10_000_000;
const INVOICES = 1_000_000;

const USAGE = `Usage: npm run bench -- [FIGURE ...] [--rounds N] [--subscriptions N] [--events N]
    [--invoices N] [--table FILE] [--check] [--list]
  FIGURE             names such as T4; without any, all; "growth" for what must not grow with the age of the data
  --rounds N         how often each side is measured (default ${DEFAULT_ROUNDS}, or what --list says)
  --subscriptions N  how many end in one second in T13 (default ${SUBSCRIPTIONS}; the figure in full is 10000)
  --events N         how many events are in the large table (default ${EVENTS.toLocaleString('en')}, as in the figures)
  --invoices N       how many invoices the reports on money are about (default ${INVOICES.toLocaleString('en')}, as in the figure)
  --table FILE       write the run to a file too, as a table in Markdown; in docs/performance.md, to its place there
  --check            exit with 1 where a figure is below its floor or cannot be measured here
  --list             what can be measured`;

export type Options = {
  figures: readonly Figure[];
  /** Null: each figure uses its own number. */
  rounds: number | null;
  subscriptions: number;
  events: number;
  invoices: number;
  /** File for the table; null for none. */
  table: string | null;
  check: boolean;
  list: boolean;
};

/** Reads the command line; if it has a mistake, prints the reason and the usage, and exits with 2. */
export function readOptions(args: string[]): Options {
  try {
    return optionsOf(args);
  } catch (error) {
    console.error(`${messageOf(error)}\n${USAGE}`);
    process.exit(2);
  }
}

function optionsOf(args: string[]): Options {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      rounds: { type: 'string' },
      subscriptions: { type: 'string' },
      events: { type: 'string' },
      invoices: { type: 'string' },
      table: { type: 'string' },
      check: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
    },
  });
  return {
    figures: positionals.length === 0 ? FIGURES : [...new Set(positionals.flatMap(figuresOf))],
    rounds: countOf('rounds', values.rounds) ?? null,
    subscriptions: countOf('subscriptions', values.subscriptions) ?? SUBSCRIPTIONS,
    events: countOf('events', values.events) ?? EVENTS,
    invoices: countOf('invoices', values.invoices) ?? INVOICES,
    table: values.table ?? null,
    check: values.check,
    list: values.list,
  };
}

/** Figures that must not grow with the age of the data: closes, pages, reports and checks, and the end of a month. */
const GROWTH = ['T12a', 'T12b', 'T19', 'T14', 'T17a', 'T17b', 'report', 'money', 'T18', 'T13'];

function figuresOf(name: string): Figure[] {
  return name.toLowerCase() === 'growth' ? GROWTH.map(figureOf) : [figureOf(name)];
}

function figureOf(name: string): Figure {
  const named_figure = FIGURES.find((figure) => figure.name.toUpperCase() === name.toUpperCase());
  if (named_figure === undefined) throw new Error(`there is no figure ${name}`);
  return named_figure;
}

function countOf(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1)
    throw new Error(`--${option} must be a whole number above 0, not "${text}"`);
  return number;
}
