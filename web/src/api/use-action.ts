import { useState } from 'preact/hooks';
import { asFault, type Fault } from './fault.ts';

/** An action of the user and its state; `fault` says why it failed. */
export type Action<Input> = {
  state: 'ready' | 'running' | 'done' | 'failed';
  fault: Fault | null;
  run: (input: Input) => void;
};

/** Runs one action at a time: ignores run() while one is running. */
export function useAction<Input = void>(perform: (input: Input) => Promise<void>): Action<Input> {
  const [{ state, fault }, setOutcome] = useState<Omit<Action<Input>, 'run'>>({
    state: 'ready',
    fault: null,
  });
  const run = (input: Input) => {
    if (state === 'running') return;
    setOutcome({ state: 'running', fault: null });
    perform(input).then(
      () => setOutcome({ state: 'done', fault: null }),
      (error: unknown) => setOutcome({ state: 'failed', fault: asFault(error) }),
    );
  };
  return { state, fault, run };
}
