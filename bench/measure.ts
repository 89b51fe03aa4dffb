import type { Say } from '../dev/progress.ts';
import { DEFAULT_ROUNDS, summaryOf, type Figure, type Measure, type Round, type Summary } from './figure.ts';
import type { Options } from './options.ts';
import type { Place, Servers } from './servers.ts';
import { reportRound, reportSummary, reportTitle } from './report.ts';
import type { Stops } from './stops.ts';

type Bench = { servers: Servers; options: Options; stops: Stops; say: Say };

/** Measures a figure in rounds and reports it. Null if this machine lacks something for it. */
export async function measure(
  figure: Figure,
  { servers, options, stops, say }: Bench,
): Promise<Summary | null> {
  reportTitle(figure, say);
  const lack = figure.lacks?.() ?? null;
  if (lack !== null) {
    say(`  skipped: ${lack}`);
    return null;
  }
  const place = await servers.place(figure.name, options);
  stops.add(place.stops.run);
  try {
    const sides = await open(figure, place);
    const rounds: Round[] = [];
    for (let round = 1; round <= (options.rounds ?? figure.rounds ?? DEFAULT_ROUNDS); round++) {
      const measured = await measureRound(sides, round);
      reportRound(round, measured, say);
      rounds.push(measured);
    }
    const summary = summaryOf(figure, rounds);
    reportSummary(figure, summary, say);
    return summary;
  } finally {
    await place.stops.run();
  }
}

type Sides = { ours: Measure; theirs: Measure | null };

async function open(figure: Figure, place: Place): Promise<Sides> {
  switch (figure.kind) {
    case 'ratio':
      return figure.open(place);
    case 'value':
      return { ...(await figure.open(place)), theirs: null };
  }
}

/** The sides alternate in going first, so that neither always finds the machine in the state the other left. */
async function measureRound({ ours, theirs }: Sides, round: number): Promise<Round> {
  if (theirs === null) {
    const value = await ours();
    return { ours: value, theirs: null, result: value };
  }
  if (round % 2 === 1) return ratioOf({ ours: await ours(), theirs: await theirs() });
  const first = await theirs();
  return ratioOf({ ours: await ours(), theirs: first });
}

function ratioOf(sides: { ours: number; theirs: number }): Round {
  return { ...sides, result: sides.ours / sides.theirs };
}
