const KEPT_AS = 'tidemark-wanted-page';
/** After so long it is another errand. */
const KEPT_MS = 3_600_000;

/** Keeps the page in sight, for after the sign-in: the link may open in another tab. */
export function keepWantedPage(): void {
  const page = location.pathname + location.search + location.hash;
  localStorage.setItem(KEPT_AS, JSON.stringify({ page, kept_at_ms: Date.now() }));
}

/** The page that somebody wanted before they signed in, once; Home where there is none. */
export function takeWantedPage(): string {
  const kept = localStorage.getItem(KEPT_AS);
  localStorage.removeItem(KEPT_AS);
  if (kept === null) return '/';
  const { page, kept_at_ms }: { page: string; kept_at_ms: number } = JSON.parse(kept);
  return Date.now() - kept_at_ms < KEPT_MS ? page : '/';
}
