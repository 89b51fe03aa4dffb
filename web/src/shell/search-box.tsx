import type { TargetedSubmitEvent } from 'preact';
import { useLocation } from 'preact-iso/router';
import { pathWith } from '../api/client.ts';
import { useNavigate } from './environment.tsx';

/** Finds any object from every page. */
export function SearchBox() {
  const navigate = useNavigate();
  const { path, query } = useLocation();
  const searched = path === '/search' ? (query['q'] ?? '') : '';
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const q = `${new FormData(event.currentTarget).get('q')}`.trim();
    if (q !== '') navigate(pathWith('/search', { q }));
  };
  return (
    // The key takes over what another search was for, also after a step back.
    <form class="find" role="search" aria-label="Find anything" key={searched} onSubmit={submit}>
      <input
        type="search"
        name="q"
        aria-label="Find"
        placeholder="Find anything"
        maxLength={255}
        defaultValue={searched}
      />
    </form>
  );
}
