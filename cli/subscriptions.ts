import { Option, type Command } from 'commander';
import type { CreditNotePreview } from '../src/objects/credit-note.ts';
import type { UpcomingInvoice } from '../src/objects/invoice.ts';
import type { Period, PlanChangePreview, Subscription } from '../src/objects/subscription.ts';
import type { Config } from '../src/settings/config.ts';
import { CYCLES, PRORATIONS, UNUSED_TIME } from '../src/domain/subscription/change-terms.ts';
import type { List } from '../src/objects/parts.ts';
import { askingApi, openApi, printingList, type ApiOptions, type PageOptions } from './api.ts';
import { Failure } from './failure.ts';
import { withExamples } from './help.ts';
import { fieldLines, printList, printResult } from './output.ts';

type Options = ApiOptions &
  PageOptions & { customer?: string; status?: string; plan?: string; attention: boolean };
type CancelOptions = ApiOptions & { at?: string; settle?: string; dryRun: boolean; takeBack: boolean };
type ChangeOptions = CancelOptions & {
  plan?: string;
  proration?: string;
  cycle?: string;
  takeBackGrants: boolean;
};

/** Adds `subscriptions list`, `periods`, `change`, `cancel`, `trial` and `bill-at`. */
export function addSubscriptions(program: Command, config: Config): void {
  const subscriptions = program.command('subscriptions').description("customers' subscriptions");
  addList(subscriptions, config);
  addPeriods(subscriptions, config);
  addChange(subscriptions, config);
  addCancel(subscriptions, config);
  addTrial(subscriptions, config);
  addBillAt(subscriptions, config);
}

function addList(subscriptions: Command, config: Config): void {
  const statuses = ['pending', 'trialing', 'active', 'canceled'];

  withExamples(printingList(subscriptions.command('list').description('subscriptions, newest first')), [
    'subscriptions list --customer acme',
    'subscriptions list --attention --live',
  ])
    .option('--customer <id>', 'only for this customer')
    .addOption(new Option('--status <status>', 'only with this status').choices(statuses))
    .option('--plan <id>', 'only with this plan now')
    .option('--attention', 'only subscriptions that need attention, with the reason', false)
    .action(async (options: Options) => {
      const { limit, cursor, customer: customer_id, status, plan: plan_id, attention } = options;
      const api = openApi(config, options);
      const filter = { customer_id, status, plan_id, attention: attention ? 'true' : undefined };
      const list: List<Subscription> = await api.get('/v1/subscriptions', { ...filter, limit, cursor });
      printList(options, list, {
        id: ({ id }) => id,
        customer: (subscription) => subscription.customer_id,
        plan: ({ plan_id }) => plan_id,
        status: (subscription) => subscription.status,
        period_end: ({ current_period_end }) => current_period_end,
        attention: (subscription) => subscription.attention,
      });
    });
}

function addPeriods(subscriptions: Command, config: Config): void {
  withExamples(
    printingList(subscriptions.command('periods')).description('periods of a subscription, newest first'),
    ['subscriptions periods sub_...'],
  )
    .argument('<id>', 'subscription')
    .action(async (id: string, options: ApiOptions & PageOptions) => {
      const { limit, cursor } = options;
      const path = pathOf(id, 'periods');
      const list: List<Period> = await openApi(config, options).get(path, { limit, cursor });
      printList(options, list, {
        kind: ({ kind }) => kind,
        from: ({ period_start }) => period_start,
        to: ({ period_end }) => period_end,
        plan: ({ plan_id }) => plan_id,
        invoice: ({ invoice_id }) => invoice_id,
        opening: ({ opening_invoice_id }) => opening_invoice_id,
      });
    });
}

const AT = 'now, period_end, an instant, or a day in the zone of the subscription';

function addChange(subscriptions: Command, config: Config): void {
  withExamples(askingApi(subscriptions.command('change').description('change the plan of a subscription')), [
    'subscriptions change sub_... --plan plan_... --at period_end',
    'subscriptions change sub_... --plan plan_... --at 2026-04-16 --dry-run',
    'subscriptions change sub_... --take-back',
  ])
    .argument('<id>', 'subscription')
    .option('--plan <id>', 'the new plan')
    .option('--at <time>', AT)
    .addOption(settleOption())
    .addOption(prorationOption())
    .addOption(cycleOption())
    .option('--take-back-grants', 'credit of the old plan for its running period ends with the change', false)
    .option('--dry-run', 'print the invoices that follow, and change nothing', false)
    .option('--take-back', 'take back the change that is scheduled', false)
    .action(async (id: string, { takeBack, dryRun: dry_run, ...options }: ChangeOptions) => {
      const api = openApi(config, options);
      const path = pathOf(id, 'change');
      if (takeBack) return printChanged(options, (await api.call<Subscription>('DELETE', path)).body);
      const { plan: plan_id, at, settle, proration, cycle, takeBackGrants: take_back_grants } = options;
      if (plan_id === undefined || at === undefined) throw new Failure('--plan and --at are required', 2);
      const body = { plan_id, at, settle, proration, cycle, take_back_grants };
      if (dry_run) printPreview(options, await api.post(path, { ...body, dry_run }));
      else printChanged(options, await api.post(path, body));
    });
}

function addCancel(subscriptions: Command, config: Config): void {
  withExamples(askingApi(subscriptions.command('cancel').description('cancel a subscription')), [
    'subscriptions cancel sub_...',
    'subscriptions cancel sub_... --at 2026-04-16 --dry-run',
    'subscriptions cancel sub_... --take-back',
  ])
    .argument('<id>', 'subscription')
    .option('--at <time>', `${AT}, at most 366 days back; by default period_end`)
    .addOption(settleOption())
    .option('--dry-run', 'print the last invoice and the credit notes, and change nothing', false)
    .option('--take-back', 'take back the cancellation that is scheduled', false)
    .action(async (id: string, { takeBack, dryRun: dry_run, at, settle, ...options }: CancelOptions) => {
      const api = openApi(config, options);
      const path = pathOf(id, 'cancel');
      if (takeBack) return printChanged(options, (await api.call<Subscription>('DELETE', path)).body);
      if (!dry_run) return printChanged(options, await api.post(path, { at, settle }));
      const preview: PlanChangePreview = await api.post(path, { at, settle, dry_run });
      const { closing, credit_notes } = preview;
      printResult(options, preview, fieldLines({ last_invoice: billOf(closing), ...notesOf(credit_notes) }));
    });
}

function addTrial(subscriptions: Command, config: Config): void {
  const description = 'extend, shorten, add or end a trial before billing begins';
  withExamples(askingApi(subscriptions.command('trial').description(description)), [
    'subscriptions trial sub_... --ends-at 2026-04-16',
    'subscriptions trial sub_... --ends-at now',
  ])
    .argument('<id>', 'subscription')
    .requiredOption('--ends-at <time>', 'now, an instant, or a day in the zone of the subscription')
    .action(async (id: string, { endsAt: ends_at, ...options }: ApiOptions & { endsAt: string }) => {
      printChanged(options, await openApi(config, options).post(pathOf(id, 'trial'), { ends_at }));
    });
}

function addBillAt(subscriptions: Command, config: Config): void {
  const description = 'bill the open part of a period before its end, once its usage comes to an amount';
  withExamples(askingApi(subscriptions.command('bill-at').description(description)), [
    'subscriptions bill-at sub_... 500.00',
    'subscriptions bill-at sub_... none',
  ])
    .argument('<id>', 'subscription')
    .argument('<amount>', 'net, in the currency of the customer; none: only at the end of the period')
    .action(async (id: string, amount: string, options: ApiOptions) => {
      const path = `/v1/subscriptions/${encodeURIComponent(id)}`;
      const body = { bill_at: amount === 'none' ? null : amount };
      printChanged(
        options,
        (await openApi(config, options).call<Subscription>('PATCH', path, { body })).body,
      );
    });
}

function pathOf(id: string, action: string): string {
  return `/v1/subscriptions/${encodeURIComponent(id)}/${action}`;
}

function printPreview(options: ApiOptions, preview: PlanChangePreview): void {
  const { closing, opening, upcoming, credit_notes } = preview;
  const bills = {
    'by the old plan': billOf(closing),
    ...(opening === null ? {} : { 'in advance': billOf(opening) }),
    'by the new plan': billOf(upcoming),
  };
  printResult(options, preview, fieldLines({ ...bills, ...notesOf(credit_notes) }));
}

/** The option that says what becomes of fees in advance of time that is not used. */
export function settleOption(): Option {
  const text = 'unused time of fees in advance: to the balance (default), paid back outside, or none';
  return new Option('--settle <use>', text).choices(UNUSED_TIME);
}

/** The option that says how fees in advance pass from one plan to the next. */
export function prorationOption(): Option {
  const text =
    'fees in advance: both by exact time (default), none until the boundary, or the new one in full';
  return new Option('--proration <way>', text).choices(PRORATIONS);
}

/** The option that says whether a change begins the cycle anew. */
export function cycleOption(): Option {
  return new Option('--cycle <way>', 'keep the boundaries (default), or begin the cycle anew').choices(
    CYCLES,
  );
}

/** Credit notes by their invoice, which may have several. */
function notesOf(notes: readonly CreditNotePreview[]): Record<string, string> {
  const amounts: Record<string, string> = {};
  for (const { invoice_id, total, currency } of notes) {
    const field = `credited of ${invoice_id}`;
    const amount = `${total} ${currency}`;
    amounts[field] = field in amounts ? `${amounts[field]}, ${amount}` : amount;
  }
  return amounts;
}

function billOf(bill: UpcomingInvoice | null): string | null {
  return bill && `${bill.period_start} to ${bill.period_end}: ${bill.total} ${bill.currency}`;
}

function printChanged(options: ApiOptions, subscription: Subscription): void {
  const { id, status, plan_id, pending_change, trial_end_date, current_period_end } = subscription;
  const next_plan = pending_change && `${pending_change.plan_id} from ${pending_change.at}`;
  const ends = subscription.cancel_at ?? subscription.canceled_at;
  const times = { trial_until: trial_end_date, period_end: current_period_end, ends };
  const fields = { id, status, plan: plan_id, next_plan, ...times, bill_at: subscription.bill_at };
  printResult(options, subscription, fieldLines(fields));
}
