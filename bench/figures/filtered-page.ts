import type { Figure, Measure } from '../figure.ts';
import { startApi } from '../programs.ts';
import type { Place } from '../servers.ts';
import { openPage } from '../size/pages.ts';
import { FEW, openTable, type TableSize } from '../size/tables.ts';

const SIZES = '10 million events / among 10 thousand';

export const pageOfCustomer: Figure = {
  kind: 'ratio',
  name: 'T17a',
  title: `the ${FEW.events} events of a customer among ${SIZES}`,
  unit: 'ms',
  floor: 2,
  goal: 1.2,
  open: (place) =>
    openSizes(place, { path: `events?customer_id=${FEW.external_id}&limit=200`, events: FEW.events }),
};

export const pageOfAbsentName: Figure = {
  kind: 'ratio',
  name: 'T17b',
  title: `the events of a name that has none among ${SIZES}`,
  unit: 'ms',
  floor: 2,
  goal: 1.2,
  open: (place) => openSizes(place, { path: 'events?event_name=absent&limit=200', events: 0 }),
};

async function openSizes(
  place: Place,
  page: { path: string; events: number },
): Promise<{ ours: Measure; theirs: Measure }> {
  const openSize = async (size: TableSize) => openPage(await startApi(await openTable(place, size)), page);
  return { ours: await openSize('large'), theirs: await openSize('small') };
}
