import type { Figure } from '../figure.ts';
import { openIngest, type AfterCheckpoint } from '../size/ingest.ts';

export const fullTableIngest: Figure = {
  kind: 'ratio',
  name: 'T10',
  title: 'ingest at 10 million events just after a checkpoint, in batches of 1,000 / into an empty table',
  unit: 'events/s',
  floor: 0.7,
  goal: 0.9,
  async open(place) {
    const full = await openIngest(place, 'large');
    const empty = await openIngest(place, 'empty');
    const rateOf = async (side: string, measured: Promise<AfterCheckpoint>) => {
      const { events_per_second, wal_bytes_per_event } = await measured;
      place.say(`        ${side}: ${Math.round(wal_bytes_per_event)} bytes of WAL an event`);
      return events_per_second;
    };
    return { ours: () => rateOf('ours', full()), theirs: () => rateOf('other', empty()) };
  },
};

export const fullTableWal: Figure = {
  kind: 'value',
  name: 'T11',
  title: 'WAL of an event at 10 million events, in 400,000 of them just after a checkpoint',
  unit: 'bytes',
  floor: 3000,
  goal: 2200,
  async open(place) {
    const full = await openIngest(place, 'large');
    return { ours: async () => (await full()).wal_bytes_per_event };
  },
};
