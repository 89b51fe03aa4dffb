import { dashboardPage } from '../../../src/objects/dashboard-paths.ts';

const KEPT_AS = 'tidemark-wanted-page';
/** Time for which the wanted page is remembered: after an hour the person probably came for something else. */
const KEPT_MS = 3_600_000;

/** Stores the current page for after the sign-in. In localStorage, because the sign-in link may open in another tab. */
export function keepWantedPage(): void {
  const page = location.pathname + location.search + location.hash;
  localStorage.setItem(KEPT_AS, JSON.stringify({ page, kept_at_ms: Date.now() }));
}

/** The page to open after the sign-in; removes it. */
export function takeWantedPage(): string {
  const page = readWantedPage();
  localStorage.removeItem(KEPT_AS);
  return page;
}

/** The page to open after the sign-in. Home if none is stored or it is older than an hour. */
export function readWantedPage(): string {
  const stored_text = localStorage.getItem(KEPT_AS);
  if (stored_text === null) return '/';
  const { page, kept_at_ms }: { page: string; kept_at_ms: number } = JSON.parse(stored_text);
  return Date.now() - kept_at_ms < KEPT_MS ? dashboardPage(page, location.origin) : '/';
}
