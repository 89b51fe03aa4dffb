import type { Deps } from './deps.ts';

/** State of one API: made at its first use and gone with it, so that two APIs of one process share nothing. */
export function perDeps<State>(make: (deps: Deps) => State): (deps: Deps) => State {
  const states = new WeakMap<Deps, State>();
  return (deps) => {
    let state = states.get(deps);
    if (state === undefined) {
      state = make(deps);
      states.set(deps, state);
    }
    return state;
  };
}
