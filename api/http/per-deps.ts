import type { Deps } from './deps.ts';

/** State of one API instance: created at first use and freed with its Deps, so that two APIs in one process share nothing. */
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
