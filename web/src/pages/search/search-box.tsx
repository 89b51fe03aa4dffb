import type { TargetedSubmitEvent } from 'preact';
import { useLocation } from 'preact-iso/router';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { pathWith } from '../../api/client.ts';
import type { Found, List } from '../../api/objects.ts';
import { ChoiceInput, type Choice } from '../../components/combobox.tsx';
import { useNavigate } from '../../shell/environment.tsx';
import { useClient } from '../../shell/session.tsx';
import { mayLeave } from '../../components/unsaved.ts';
import { detailsOf, nameOf, pageOf } from './found.ts';

/**
 * Finds any object from every page, while one types: the arrows choose, Enter opens, without a choice the page with all
 * that was found.
 */
export function SearchBox() {
  const client = useClient();
  const navigate = useNavigate();
  const { path, query } = useLocation();
  const [opened, setOpened] = useState(0);
  const form = useRef<HTMLFormElement>(null);
  const searched = path === '/search' ? (query['q'] ?? '') : '';
  const find = useCallback(
    async (words: string, signal: AbortSignal) => {
      if (words === '') return [];
      const { data } = await client.get<List<Found>>(pathWith('/v1/search', { q: words }), signal);
      return data.map(choiceOf);
    },
    [client],
  );
  useEffect(() => focusBySlash(form), []);
  const open = (page: string) => {
    if (!mayLeave()) return;
    navigate(page);
    // An empty field, unless the next page is that of a search.
    setOpened(opened + 1);
  };
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const q = `${new FormData(event.currentTarget).get('q')}`.trim();
    if (q !== '') open(pathWith('/search', { q }));
  };
  return (
    <form ref={form} class="find" role="search" aria-label="Find anything" onSubmit={submit}>
      {/* The key takes over what another search was for, also after a step back. */}
      <ChoiceInput
        key={`${opened} ${searched}`}
        name="q"
        placeholder="Find anything: /"
        initial={searched}
        control={{ 'aria-label': 'Find', 'aria-keyshortcuts': '/' }}
        find={find}
        useLabel={() => null}
        takes_first={false}
        change={(choice) => choice !== null && open(choice.value)}
      />
    </form>
  );
}

/** A slash that is typed nowhere else leads to the field. */
function focusBySlash(form: { readonly current: HTMLFormElement | null }): () => void {
  const listen = (event: KeyboardEvent) => {
    const { target, key, ctrlKey, metaKey, altKey } = event;
    const is_typing = target instanceof Element && target.closest('input, textarea, select, dialog') !== null;
    if (key !== '/' || is_typing || ctrlKey || metaKey || altKey) return;
    event.preventDefault();
    form.current?.querySelector<HTMLInputElement>('input[role=combobox]')?.focus();
  };
  addEventListener('keydown', listen);
  return () => removeEventListener('keydown', listen);
}

function choiceOf(result: Found): Choice {
  return { value: pageOf(result), label: nameOf(result), details: detailsOf(result) };
}
