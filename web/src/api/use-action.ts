import { useState } from 'preact/hooks';
import { asFault, type Fault } from './fault.ts';

/** Something a person asks for: under way, done, or refused with a fault. */
export type Action<Input> = {
  state: 'ready' | 'running' | 'done' | 'failed';
  fault: Fault | null;
  run: (input: Input) => void;
};

/** One at a time: what is asked for while one is under way is not heard. */
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
