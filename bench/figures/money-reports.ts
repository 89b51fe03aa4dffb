import type { Figure } from '../figure.ts';
import { processorTimeLacks } from '../processor-time.ts';
import { fillWithInvoices, openReports } from '../size/money.ts';

export const moneyReports: Figure = {
  kind: 'value',
  name: 'money',
  title: "PostgreSQL's processor time of the slowest report on the money of 1 million invoices",
  unit: 'ms',
  floor: 1000,
  goal: 500,
  rounds: 3,
  lacks: processorTimeLacks,
  async open(place) {
    await fillWithInvoices(place);
    return { ours: await openReports(place) };
  },
};
