import { authorization, openIngest } from '../ingest.ts';
import { startApi, type Api } from '../programs.ts';
import { singleRequest } from '../requests.ts';
import type { Place } from '../servers.ts';
import { runOpenLoop } from './open-loop.ts';
import type { Tally } from './tally.ts';

/** Requests per second that a key may send. */
export const RATE = 1000;

const CONNECTIONS = 128;

export type Offer = { key: Api; per_second: number; seconds: number };

/** Two API processes on one database with customers, each with its own key, which both processes know and limit to RATE. */
export async function startRatedApis(
  place: Place,
): Promise<{ one: Api; other: Api; ports: readonly number[]; offer: (load: Offer) => Promise<Tally> }> {
  await openIngest(place);
  const one = await startApi(place, { rate_limit: `${RATE}` });
  const other = await startApi(place, { rate_limit: `${RATE}` });
  const ports = [one.port, other.port];
  return {
    one,
    other,
    ports,
    offer: ({ key, per_second, seconds }) =>
      runOpenLoop({
        ports,
        connections: CONNECTIONS,
        per_second,
        seconds,
        prepare: () => singleRequest(authorization(key)),
      }),
  };
}
