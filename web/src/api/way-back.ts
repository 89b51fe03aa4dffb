import { useLocation } from 'preact-iso/router';
import { useEffect } from 'preact/hooks';

/** How far each page was scrolled, by its address. */
const scrolled_px = new Map<string, number>();
const PAGES_MAX = 100;
/** How long a page may take until it is as long as it was. */
const RESTORING_MS = 2000;

/** The page that is marked as visited now, and whether it was already when it was opened. */
let visit = { address: '', is_way_back: false };

/** Whether the browser's buttons led to this page. */
export function isWayBack(): boolean {
  return visit.address === location.href ? visit.is_way_back : isVisited();
}

/** Whether the present entry of the browser's history bears the mark; a page that a link opens has a new entry. */
function isVisited(): boolean {
  const state: unknown = history.state;
  return typeof state === 'object' && state !== null && 'is_visited' in state;
}

function mark(): void {
  visit = { address: location.href, is_way_back: isVisited() };
  history.replaceState({ is_visited: true }, '');
}

/** Marks each page as visited, and scrolls to where it was left when one comes back to it. */
export function useWayBack(): void {
  const { url } = useLocation();
  useEffect(mark, [url]);
  useEffect(() => {
    const note = () => {
      scrolled_px.delete(location.href);
      scrolled_px.set(location.href, scrollY);
      if (scrolled_px.size > PAGES_MAX) scrolled_px.delete(scrolled_px.keys().next().value ?? '');
    };
    const restore = () => scrollOnceItFits(scrolled_px.get(location.href) ?? 0);
    addEventListener('scroll', note, { passive: true });
    addEventListener('popstate', restore);
    return () => {
      removeEventListener('scroll', note);
      removeEventListener('popstate', restore);
    };
  }, []);
}

/** Scrolls once the page is long enough, unless a person scrolls before. */
function scrollOnceItFits(wanted_px: number): void {
  const until_ms = performance.now() + RESTORING_MS;
  const ended = new AbortController();
  for (const type of ['wheel', 'touchmove', 'keydown'])
    addEventListener(type, () => ended.abort(), { signal: ended.signal, passive: true });
  const step = () => {
    if (ended.signal.aborted) return;
    const fits = document.documentElement.scrollHeight - innerHeight >= wanted_px;
    if (fits) scrollTo(0, wanted_px);
    if (fits || performance.now() > until_ms) ended.abort();
    else requestAnimationFrame(step);
  };
  // The next frame shows the page that one comes back to.
  requestAnimationFrame(() => requestAnimationFrame(step));
}
