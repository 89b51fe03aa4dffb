import { useEffect } from 'preact/hooks';

/** Brings what the address names behind its # into sight, once it is there; the browser looks for it too early. */
export function useFragment(is_there: boolean): void {
  useEffect(() => {
    const target = is_there ? document.getElementById(location.hash.slice(1)) : null;
    target?.scrollIntoView();
    target?.focus({ preventScroll: true });
  }, [is_there]);
}
