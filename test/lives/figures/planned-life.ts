import { at } from '../../support/ledger/test-customer.ts';
import type { Card, Settings } from '../model/collection.ts';
import { saveMethod } from '../model/methods.ts';
import { freeAt, runSchedules, scheduleOf, shownStatus, tryNewDefault } from '../model/schedules.ts';
import { attemptsOf } from '../model/under-way.ts';
import { lifeOn } from './model-life.ts';

const HUNDRED = { pricing_model: 'flat', flat_amount: '100' } as const;

export type Options = {
  issued?: string;
  settings?: Partial<Settings>;
  timezone?: string;
  card?: Card | null;
};

/** A life with one invoice of 100.00, issued on 2 March at 10:00, in the automatic mode. */
export function plannedLife({
  issued = '10:00',
  settings = {},
  timezone = 'UTC',
  card = 'succeeds',
}: Options = {}) {
  const life = lifeOn(HUNDRED, { start: at(`02-02T${issued}`), timezone });
  const { world } = life;
  Object.assign(world.collection.settings, { mode: 'automatic', net_days: 14, ...settings });
  if (card !== null) saveMethod(world, { label: 'Visa 4242', card });
  life.go(`03-02T${issued}`);
  const invoice = world.invoices[0]!;
  const plan = () => scheduleOf(world, invoice)!;
  return {
    ...life,
    invoice,
    to: (date: string) => {
      life.go(date);
      runSchedules(world);
    },
    /** The instant of the next charge, behind pauses. */
    next: () => freeAt(world, plan())?.slice(5, 16),
    status: () => shownStatus(world, invoice),
    outcomes: () => attemptsOf(world, invoice).map(({ status }) => status),
    save: (label: string, saved: Card = 'succeeds') => {
      const method = saveMethod(world, { label, card: saved });
      if (method.is_default) tryNewDefault(world);
      return method;
    },
  };
}
