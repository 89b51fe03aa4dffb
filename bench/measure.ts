import type { Say } from '../src/dev/progress.ts';
import { DEFAULT_ROUNDS, type Figure, type Opened, type Sides } from './figure.ts';
import type { Options } from './options.ts';
import type { Servers } from './servers.ts';
import { reportRatio, reportRound, reportTitle } from './report.ts';
import type { Stops } from './stops.ts';

type Bench = { servers: Servers; options: Options; stops: Stops; say: Say };

/** Measures a figure in rounds and reports it. Returns whether its floor is reached. */
export async function measure(figure: Figure, { servers, options, stops, say }: Bench): Promise<boolean> {
  reportTitle(figure, say);
  const lack = figure.lacks?.() ?? null;
  if (lack !== null) {
    say(`  skipped: ${lack}`);
    return false;
  }
  const place = await servers.place(figure.name, options.subscriptions);
  stops.add(place.stops.run);
  try {
    const opened = await figure.open(place);
    const rounds: Sides[] = [];
    for (let round = 1; round <= (options.rounds ?? figure.rounds ?? DEFAULT_ROUNDS); round++) {
      const sides = await measureRound(opened, round);
      reportRound(round, sides, say);
      rounds.push(sides);
    }
    return reportRatio(figure, rounds, say);
  } finally {
    await place.stops.run();
  }
}

/** The side that comes first changes, so that neither always meets the machine as the other left it. */
async function measureRound(opened: Opened, round: number): Promise<Sides> {
  if (round % 2 === 1) {
    const ours = await opened.ours();
    return { ours, theirs: await opened.theirs() };
  }
  const theirs = await opened.theirs();
  return { ours: await opened.ours(), theirs };
}
