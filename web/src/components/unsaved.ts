/** Forms in which somebody has entered what is not saved, and the addresses of their pages. */
const unsaved = new Map<HTMLFormElement, string>();

const QUESTION = 'What you entered is not saved. Leave it?';

/** Notes whether a form has entries that are not saved. */
export function noteUnsaved(form: HTMLFormElement, has_entries: boolean): void {
  if (has_entries) unsaved.set(form, location.href);
  else unsaved.delete(form);
}

/** Whether a part of the page may go: asks if something in it is not saved. */
export function mayLeave(part: Element = document.body): boolean {
  const forms = [...unsaved.keys()].filter((form) => part.contains(form));
  if (forms.length > 0 && !confirm(QUESTION)) return false;
  forms.forEach((form) => unsaved.delete(form));
  return true;
}

/**
 * Asks before a link, the browser's buttons or the end of the page leads away from entries. To be called before the
 * router listens.
 */
export function guardUnsaved(): void {
  addEventListener('beforeunload', (event) => {
    if (unsaved.size > 0) event.preventDefault();
  });
  const ask = (event: MouseEvent) => {
    if (!leadsAway(event) || mayLeave()) return;
    event.preventDefault();
    event.stopPropagation();
  };
  document.addEventListener('click', ask, { capture: true });
  addEventListener('popstate', (event) => {
    const [address] = unsaved.values();
    if (mayLeave()) return;
    event.stopImmediatePropagation();
    // The browser has left already, though the page is still there: its address comes back as the newest one.
    history.pushState(null, '', address);
  });
}

/** Whether a click opens another page in this window. */
function leadsAway(event: MouseEvent): boolean {
  const { target, button, ctrlKey, metaKey, shiftKey, altKey } = event;
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null;
  if (link === null || link.download !== '' || !['', '_self'].includes(link.target)) return false;
  const is_here = button === 0 && !ctrlKey && !metaKey && !shiftKey && !altKey;
  return is_here && link.getAttribute('href')?.startsWith('#') === false;
}
