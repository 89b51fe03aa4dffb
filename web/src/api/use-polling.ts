import { useEffect } from 'preact/hooks';
import type { Loaded } from './use-load.ts';

/** Reloads `every_ms` after each response, while `is_on` and while the browser shows the page. */
export function usePolling(loaded: Loaded<unknown>, every_ms: number, is_on: boolean): void {
  const { is_loading, reload } = loaded;
  useEffect(() => {
    if (!is_on || is_loading) return;
    const timer = setInterval(() => {
      if (!document.hidden) reload();
    }, every_ms);
    return () => clearInterval(timer);
  }, [is_on, is_loading, every_ms, reload]);
}
