import type { Figure } from '../figure.ts';
import { authorization, openIngest, SINGLE_CONNECTIONS, TIMES } from '../ingest.ts';
import { runLoad } from '../load.ts';
import { startApi, type Api } from '../programs.ts';
import { singleRequest } from '../requests.ts';

export const processes: Figure = {
  kind: 'ratio',
  name: 'processes',
  title: `single POST on ${SINGLE_CONNECTIONS} connections to two API processes on one database / to one`,
  unit: 'events/s',
  floor: 0.7,
  goal: 1,
  async open(place) {
    const { api, tables } = await openIngest(place);
    const second = await startApi(place);
    const measureOn = async (apis: readonly Api[]): Promise<number> => {
      await tables.empty();
      const loads = apis.map(({ port }) => ({
        port,
        connections: SINGLE_CONNECTIONS / apis.length,
        prepare: () => singleRequest(authorization(api)),
        ...TIMES,
      }));
      const results = await Promise.all(loads.map(runLoad));
      const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);
      await tables.check('events', sum(results.map(({ acknowledged }) => acknowledged)));
      return sum(results.map(({ events_per_second }) => events_per_second));
    };
    await measureOn([second]);
    return { ours: () => measureOn([api, second]), theirs: () => measureOn([api]) };
  },
};
