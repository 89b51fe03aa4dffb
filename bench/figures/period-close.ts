import type { Figure, Measure } from '../figure.ts';
import type { Place } from '../servers.ts';
import { openClosing, type Closing } from '../size/closing.ts';
import { openFiltered } from '../size/filtered.ts';
import { LARGE, THOUSAND } from '../size/tables.ts';

const MONTH = 'closing the month of a customer with';

export const closeOfMillion: Figure = {
  kind: 'ratio',
  name: 'T12a',
  title: `${MONTH} 1 million events, billed by a count and a sum / with 1 thousand`,
  unit: 'ms',
  floor: 5,
  goal: 1.2,
  async open(place) {
    const closing = await openClosing(place, 'large');
    return openCloses(place, {
      ours: { closing, customer_id: LARGE.external_id },
      theirs: { closing, customer_id: THOUSAND.external_id },
    });
  },
};

export const closeAmongMillions: Figure = {
  kind: 'ratio',
  name: 'T12b',
  title: `${MONTH} 1 thousand events among 10 million / among 10 thousand`,
  unit: 'ms',
  floor: 2,
  goal: 1.1,
  async open(place) {
    const customer_id = THOUSAND.external_id;
    return openCloses(place, {
      ours: { closing: await openClosing(place, 'large'), customer_id },
      theirs: { closing: await openClosing(place, 'small'), customer_id },
    });
  },
};

export const closeOnFilters: Figure = {
  kind: 'ratio',
  name: 'T19',
  title: `${MONTH} a tenth of all events on 100 filtered charges / on one charge`,
  unit: 'ms',
  floor: 4.5,
  goal: 3,
  rounds: 3,
  open: openFiltered,
};

type Side = { closing: Closing; customer_id: string };

async function openCloses(
  place: Place,
  { ours, theirs }: { ours: Side; theirs: Side },
): Promise<{ ours: Measure; theirs: Measure }> {
  const noon_ms: number[] = [];
  for (const { closing, customer_id } of [ours, theirs]) {
    await closing.check(customer_id);
    noon_ms.push(await closing.noonToNoon(customer_id));
  }
  place.say(
    `  months from noon to noon: ${noon_ms.map((time_ms) => `${time_ms.toFixed(1)} ms`).join(' / ')}`,
  );
  return {
    ours: () => ours.closing.month(ours.customer_id),
    theirs: () => theirs.closing.month(theirs.customer_id),
  };
}
