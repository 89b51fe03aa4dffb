import {
  countedWords,
  readable,
  titleOfEvents,
  withWholeTitles,
} from '../../../../src/domain/lines/charge-title.ts';
import { isMetered } from '../../../../src/domain/pricing/definitions.ts';
import { propertiesOf } from '../../../../src/domain/pricing/series.ts';
import type { Plan, Usage } from '../../api/objects.ts';
import { useEach } from '../../api/use-each.ts';
import { grouped } from '../../components/grouped.ts';
import type { UsageWords } from '../customers/usage-charts.tsx';

/** Plans by their ids. */
export type Plans = ReadonlyMap<string, Plan>;

/** The words of invoices for the usage of charges: their titles and units. */
export function usePaperWords(totals: readonly Usage[]): UsageWords {
  const plans = useEach<Plan>(
    '/v1/pricing-plans',
    totals.map(({ plan_id }) => plan_id),
  );
  const titled = [...plans.values()].flatMap(({ charges }) => withWholeTitles(charges));
  const chargeOf = ({ charge_id }: Usage) => titled.find(({ charge }) => charge.id === charge_id);
  const counted = (usage: Usage, quantity: string) => {
    const found = chargeOf(usage);
    return found === undefined ? '' : countedWords(found.charge, quantity);
  };
  const properties = titled.flatMap(({ charge: { group_by, prices } }) => [
    ...(group_by ?? []),
    ...propertiesOf(prices ?? []),
  ]);
  return {
    titleOf: (usage) => chargeOf(usage)?.title ?? titleOfEvents(usage.event_name),
    quantityOf: (usage) => `${grouped(usage.quantity)}${counted(usage, usage.quantity)}`,
    unitOf: (usage) => counted(usage, '0').trim() || 'quantity',
    properties: [...new Set(properties)].map((name) => ({
      value: name,
      label: `values of ${readable(name)}`,
    })),
  };
}

/** Names of events as the invoices of these plans have them: the titles of the charges that count them. */
export function eventsOnPaper(event_names: readonly string[], plans: Plans): string {
  const titled = [...plans.values()]
    .flatMap(({ charges }) => withWholeTitles(charges))
    .filter(({ charge }) => isMetered(charge));
  const names = event_names.flatMap((name) => {
    const titles = titled.filter(({ charge }) => charge.event_name === name).map(({ title }) => title);
    return titles.length === 0 ? [titleOfEvents(name)] : titles;
  });
  return [...new Set(names)].join(', ');
}
