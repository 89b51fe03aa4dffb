const SHAPE = /^#(tm_ps_\w+)$/;
const KEPT_AS = 'tidemark-portal-link';

/**
 * The token in the fragment of the address, which is removed from there at once, so that nobody reads it over a
 * shoulder or copies it by mistake. Null if there is none.
 */
export function takeToken(): string | null {
  const token = SHAPE.exec(location.hash)?.[1];
  if (token === undefined) return null;
  history.replaceState(history.state, '', `${location.pathname}${location.search}`);
  withStorage((storage) => storage.setItem(KEPT_AS, token));
  return token;
}

/** The token that this tab had before a reload; null if there is none. */
export function keptToken(): string | null {
  return withStorage((storage) => storage.getItem(KEPT_AS));
}

/** Forgets the token, once its link is over. */
export function forgetToken(): void {
  withStorage((storage) => storage.removeItem(KEPT_AS));
}

/** Returns null where the browser refuses storage, as it may in a frame: a reload then needs the link again. */
function withStorage<Value>(work: (storage: Storage) => Value): Value | null {
  try {
    return work(sessionStorage);
  } catch {
    return null;
  }
}
