import type { Figure } from '../figure.ts';
import { startApi } from '../programs.ts';
import { openPage } from '../size/pages.ts';
import { openReported, rollUpAnew } from '../size/reporting.ts';
import { DAYS, DAYS_END } from '../size/tables.ts';
import { addDays } from '../../src/domain/time/period.ts';

export const reportOfMonth: Figure = {
  kind: 'ratio',
  name: 'report',
  title: 'the usage report of a month by day at 10 million events / at 1 million',
  unit: 'ms',
  floor: 1.5,
  goal: 1.1,
  async open(place) {
    const page = { path: `usage-report?from=${addDays(DAYS_END, -DAYS)}&to=${DAYS_END}`, events: DAYS };
    const [large, tenth] = [await openReported(place, 'large'), await openReported(place, 'tenth')];
    return {
      ours: await openPage(await startApi(large), page),
      theirs: await openPage(await startApi(tenth), page),
    };
  },
};

export const rateOfRollup: Figure = {
  kind: 'ratio',
  name: 'counts',
  title: 'the rollup of 1 million events with their counts by cause / without, events per second',
  unit: 'events/s',
  // Nearly every event of this table is the only one of its customer, name and day, which is the worst case.
  floor: 0.3,
  goal: 0.6,
  rounds: 3,
  async open(place) {
    const { database_url } = await openReported(place, 'tenth');
    return {
      ours: () => rollUpAnew(database_url, true),
      theirs: () => rollUpAnew(database_url, false),
    };
  },
};
