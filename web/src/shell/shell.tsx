import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso/router';
import { useEffect, useRef } from 'preact/hooks';
import { ActionButton } from '../components/action-button.tsx';
import type { Environment } from '../api/objects.ts';
import { pathWith } from '../api/client.ts';
import { Link, useEnvironment } from './environment.tsx';
import { useDashboard, useSession } from './session.tsx';
import { ThemeSwitch } from './theme.tsx';
import { useWayBack } from '../api/way-back.ts';

type Place = { path: string; name: string; is_for_admins?: boolean };

const PLACES: readonly Place[] = [
  { path: '/', name: 'Home' },
  { path: '/events', name: 'Events' },
  { path: '/customers', name: 'Customers' },
  { path: '/plans', name: 'Plans' },
  { path: '/subscriptions', name: 'Subscriptions' },
  { path: '/invoices', name: 'Invoices' },
  { path: '/owed', name: 'Owed' },
  { path: '/collections', name: 'Collections' },
  { path: '/payments', name: 'Payments' },
  { path: '/credit-notes', name: 'Credit notes' },
  { path: '/emails', name: 'Emails' },
  { path: '/revenue', name: 'Revenue' },
  { path: '/month-end', name: 'Month end' },
  { path: '/changes', name: 'Changes', is_for_admins: true },
  { path: '/audit-log', name: 'Audit log' },
  { path: '/settings', name: 'Settings' },
];

type ShellProps = {
  /** The field that finds objects. */
  search: ComponentChildren;
  children: ComponentChildren;
};

/** The frame of every page: band, navigation and the page itself. */
export function Shell({ search, children }: ShellProps) {
  const main = useRef<HTMLElement>(null);
  const { path } = useLocation();
  const environment = useEnvironment();
  const first_path = useRef(path);
  useWayBack();
  // After navigation, focus the heading, so that a screen reader announces the new page; the first page is read from
  // the start anyway.
  useEffect(() => {
    if (path !== first_path.current) main.current?.querySelector('h1')?.focus({ preventScroll: true });
    first_path.current = '';
  }, [path]);
  return (
    <div class={`shell shell-${environment}`}>
      <a class="skip" href="#main">
        Skip to the page
      </a>
      <Band environment={environment} />
      <div class="frame">
        <Navigation path={path} search={search} />
        {/* The key remounts the page on a switch, so that no data of the other environment stays visible. */}
        <main id="main" ref={main} key={environment}>
          {children}
        </main>
      </div>
    </div>
  );
}

/** A band across the full width that says whether the data are test or live. */
function Band({ environment }: { environment: Environment }) {
  return (
    <section class="band" aria-label="Test or live data">
      <p>
        <strong>{environment === 'test' ? 'Test data' : 'Live data'}</strong>{' '}
        <span class="band-words">
          {environment === 'test' ? 'no customer is billed.' : 'changes here affect what customers pay.'}
        </span>
      </p>
      <nav class="switch" aria-label="Data shown">
        <ModeLink to="test" environment={environment} />
        <ModeLink to="live" environment={environment} />
      </nav>
    </section>
  );
}

/** Switches to the other environment's list for this page: an object of one environment does not exist in the other. */
function ModeLink({ to, environment }: { to: Environment; environment: Environment }) {
  const { path } = useLocation();
  const place = path.startsWith('/settings') ? path : `/${path.split('/')[1] ?? ''}`;
  return (
    <a href={pathWith(place, { mode: to })} aria-current={to === environment ? 'true' : undefined}>
      {to === 'test' ? 'Test' : 'Live'}
    </a>
  );
}

function Navigation({ path, search }: { path: string; search: ComponentChildren }) {
  const { account, temporal_ui_url, temporal_namespace, user } = useDashboard();
  const { signOut } = useSession();
  const places = useRef<HTMLUListElement>(null);
  // On a phone the places are a row that may be wider than the screen.
  useEffect(() => {
    const here = places.current?.querySelector<HTMLElement>('[aria-current]');
    if (here) places.current?.scrollTo({ left: here.offsetLeft - places.current.offsetLeft });
  }, [path]);
  const is_admin = user.role === 'admin';
  const isHere = (place: string) => path === place || (place !== '/' && path.startsWith(`${place}/`));
  return (
    <header class="side">
      <p class="brand">
        Tidemark <span class="account">{account.name}</span>
      </p>
      {search}
      <nav class="places" aria-label="Pages">
        <ul ref={places}>
          {PLACES.filter(({ is_for_admins = false }) => is_admin || !is_for_admins).map((place) => (
            <li key={place.path}>
              <Link to={place.path} is_here={isHere(place.path)}>
                {place.name}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <div class="side-foot">
        <a href="/docs">API reference</a>
        {is_admin && temporal_ui_url !== null && (
          <a href={`${temporal_ui_url}/namespaces/${temporal_namespace}/workflows`}>Workflows</a>
        )}
        <ThemeSwitch />
        <span class="signed-in">
          {user.name}, {user.role}
        </span>
        <ActionButton label="Sign out" perform={signOut} />
      </div>
    </header>
  );
}
