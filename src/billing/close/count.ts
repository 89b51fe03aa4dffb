import { countAsked, type AskedOfCustomer } from '../../db/usage/asked-usage.ts';
import { readDailyUsage, type DailyUsageQuery } from '../../db/usage/daily-usage.ts';
import { cutOffNow, lastCutOffs, takeCutOffs } from '../../db/usage/usage.ts';
import type { Db } from '../../db/connection/pool.ts';
import type { Charge } from '../../domain/pricing/charge.ts';
import type { CloseContext } from '../../domain/invoice/close-context.ts';
import {
  askedAgain,
  askedUsage,
  countingsOf,
  type AskedUsage,
  type Counting,
} from '../../domain/usage/counting.ts';
import type { CountedUsage } from '../../domain/usage/counted.ts';
import { groupedBy } from '../../domain/money/grouped.ts';
import { earliest, latest } from '../../domain/time/period.ts';
import { countedPeriods, isMeteredCharge } from '../../domain/lines/scope.ts';
import { chargePeriodKey } from '../../domain/pricing/series.ts';
import { laterCutOff, type CutOff } from '../../domain/time/span.ts';
import type { Billing } from './load.ts';

type Asking = { billing: Billing; countings: readonly Counting[]; asked: readonly AskedUsage[] };

/**
 * Counts the usage of all members: new cut-offs by one statement, then daily totals, then events by one or two
 * statements for each charge that must read them. A preview reads up to now, and stores no cut-off.
 */
export async function countUsage(
  db: Db,
  environment_id: number,
  billings: readonly Billing[],
  { is_preview }: { is_preview: boolean },
): Promise<CloseContext[]> {
  const counting = billings.filter(({ work }) => work.counts);
  const cut_offs = await cutOffsOf(db, environment_id, counting, is_preview);
  const daily = await readDailyUsage(db, billings.flatMap(dailyUsageOf));
  const asking = billings.map((billing): Asking => {
    const { credit, subscription, work } = billing;
    const dailyOf = ({ id }: Charge) => daily.get(subscription.customer_key)?.get(id) ?? null;
    if (!work.counts) return { billing, countings: [], asked: askedAgain(billing, credit, dailyOf) };
    const countings = countingsOf(billing, cut_offs.get(subscription.id)!, dailyOf);
    return { billing, countings, asked: countings.map((of_charge) => askedUsage(of_charge, credit)) };
  });
  const usage = await countAll(db, environment_id, asking);
  return asking.map(({ billing, countings }) => ({
    ...billing,
    countings,
    usage: usage.get(billing.subscription.id) ?? new Map(),
    billed: null,
  }));
}

async function cutOffsOf(
  db: Db,
  environment_id: number,
  counting: readonly Billing[],
  is_preview: boolean,
): Promise<Map<string, CutOff>> {
  const idsOf = (billings: readonly Billing[]) => billings.map(({ subscription }) => subscription.id);
  if (is_preview) {
    const now = await cutOffNow(db);
    return new Map(idsOf(counting).map((id) => [id, now]));
  }
  const taking = counting.filter(({ work }) => work.takes_cut_off);
  const known = counting.flatMap((billing) => {
    const cut_off = billing.work.takes_cut_off ? null : countedTo(billing);
    return cut_off === null ? [] : [[billing.subscription.id, cut_off] as const];
  });
  const cut_offs = new Map([...known, ...(await takeCutOffs(db, environment_id, idsOf(taking)))]);
  const missing = idsOf(counting).filter((id) => !cut_offs.has(id));
  return new Map([...cut_offs, ...(await lastCutOffs(db, environment_id, missing))]);
}

/** The cut-off that a draft was counted to; null if none of its lines holds usage. */
function countedTo({ lines, invoice_id }: Billing): CutOff | null {
  const own_lines = lines.filter((line) => line.invoice_id === invoice_id);
  return own_lines
    .flatMap(({ spans }) => spans.map(({ up_to }) => up_to))
    .reduce<CutOff | null>(laterCutOff, null);
}

/**
 * The daily totals of a member: of its charges in all its full periods. One that does not count needs them only before
 * expiries of grants.
 */
function dailyUsageOf(billing: Billing): DailyUsageQuery[] {
  const { subscription, plans, credit, work } = billing;
  const full_periods = countedPeriods(billing);
  const may_ask = work.counts || credit.grants.length > 0 || credit.previous_draws.size > 0;
  if (!may_ask || full_periods.length === 0) return [];
  return [
    {
      customer_key: subscription.customer_key,
      charges: [...plans.values()].flat().filter(isMeteredCharge),
      from: full_periods.map(({ period_start }) => period_start).reduce(earliest),
      to: full_periods.map(({ period_end }) => period_end).reduce(latest),
    },
  ];
}

type AskedOfMember = AskedOfCustomer & { subscription_id: string; key: string };

/** The usage that was asked for, by subscription, then by `chargePeriodKey`. */
async function countAll(
  db: Db,
  environment_id: number,
  asking: readonly Asking[],
): Promise<Map<string, Map<string, CountedUsage>>> {
  const all = asking.flatMap(({ billing: { subscription }, asked }) =>
    asked.map((question): AskedOfMember => {
      const { charge, full_period } = question;
      const key = chargePeriodKey({ charge_id: charge.id, full_period_start: full_period.period_start });
      return { ...question, customer_key: subscription.customer_key, subscription_id: subscription.id, key };
    }),
  );
  const usage = new Map(
    asking.map(({ billing }) => [billing.subscription.id, new Map<string, CountedUsage>()]),
  );
  for (const of_charge of groupedBy(all, ({ charge }) => charge.id).values()) {
    const { charge } = of_charge[0]!;
    const counted = await countAsked(db, { environment_id, charge }, of_charge);
    for (const [at, { subscription_id, key }] of of_charge.entries())
      usage.get(subscription_id)!.set(key, counted[at]!);
  }
  return usage;
}
