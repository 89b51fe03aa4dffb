import type { Figure } from '../figure.ts';
import { openHour } from '../size/hour.ts';

export const checkOfAnHour: Figure = {
  kind: 'ratio',
  name: 'T18',
  title:
    'the check of an hour in which 100,000 events and 1,000 invoices came, at the large table / at one of a twentieth',
  unit: 'ms',
  floor: 1.5,
  goal: 1.1,
  rounds: 3,
  open: async (place) => ({
    ours: await openHour(place, 'large'),
    theirs: await openHour(place, 'twentieth'),
  }),
};
