import { Option, type Command } from 'commander';
import type {
  PlanChangePreview,
  Subscription,
  SubscriptionPeriod,
  UpcomingInvoice,
} from '../../web/src/api/objects.ts';
import type { Config } from '../config.ts';
import { askingApi, openApi, printingList, type ApiOptions, type PageOptions } from './api.ts';
import { Failure } from './failure.ts';
import { withExamples } from './help.ts';
import { fieldLines, printList, printResult, type List } from './output.ts';

type Options = ApiOptions &
  PageOptions & { customer?: string; status?: string; plan?: string; attention: boolean };
type ChangeOptions = ApiOptions & { plan?: string; at?: string; dryRun: boolean; takeBack: boolean };

/** Adds `subscriptions list`, `periods` and `change`. */
export function addSubscriptions(program: Command, config: Config): void {
  const subscriptions = program.command('subscriptions').description("customers' subscriptions");
  addList(subscriptions, config);
  addPeriods(subscriptions, config);
  addChange(subscriptions, config);
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
      const path = `/v1/subscriptions/${encodeURIComponent(id)}/periods`;
      const list: List<SubscriptionPeriod> = await openApi(config, options).get(path, { limit, cursor });
      printList(options, list, {
        kind: ({ kind }) => kind,
        from: ({ period_start }) => period_start,
        to: ({ period_end }) => period_end,
        plan: ({ plan_id }) => plan_id,
        invoice: ({ invoice_id }) => invoice_id,
      });
    });
}

function addChange(subscriptions: Command, config: Config): void {
  withExamples(askingApi(subscriptions.command('change').description('change the plan of a subscription')), [
    'subscriptions change sub_... --plan plan_... --at period_end',
    'subscriptions change sub_... --plan plan_... --at 2026-04-16 --dry-run',
    'subscriptions change sub_... --take-back',
  ])
    .argument('<id>', 'subscription')
    .option('--plan <id>', 'the new plan')
    .option('--at <time>', 'now, period_end, an instant, or a day in the zone of the subscription')
    .option('--dry-run', 'print the invoices that follow, and change nothing', false)
    .option('--take-back', 'take back the change that is scheduled', false)
    .action(async (id: string, { takeBack, dryRun: dry_run, ...options }: ChangeOptions) => {
      const api = openApi(config, options);
      const path = `/v1/subscriptions/${encodeURIComponent(id)}/change`;
      if (takeBack) return printChanged(options, (await api.call<Subscription>('DELETE', path)).body);
      const { plan: plan_id, at } = options;
      if (plan_id === undefined || at === undefined) throw new Failure('--plan and --at are required', 2);
      if (dry_run) printPreview(options, await api.post(path, { plan_id, at, dry_run }));
      else printChanged(options, await api.post(path, { plan_id, at }));
    });
}

function printPreview(options: ApiOptions, preview: PlanChangePreview): void {
  const { closing, upcoming } = preview;
  const bills = { 'by the old plan': billOf(closing), 'by the new plan': billOf(upcoming) };
  printResult(options, preview, fieldLines(bills));
}

function billOf(bill: UpcomingInvoice | null): string | null {
  return bill && `${bill.period_start} to ${bill.period_end}: ${bill.total} ${bill.currency}`;
}

function printChanged(options: ApiOptions, subscription: Subscription): void {
  const { id, plan_id, pending_change, current_period_end } = subscription;
  const next = pending_change && `${pending_change.plan_id} from ${pending_change.at}`;
  const fields = { id, plan: plan_id, next_plan: next, period_end: current_period_end };
  printResult(options, subscription, fieldLines(fields));
}
