import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso/router';
import { useEffect } from 'preact/hooks';
import { pathWith } from '../api/client.ts';
import type { Environment } from '../api/objects.ts';

const KEPT_AS = 'tidemark-environment';

/** Which data this page shows: what its address says, so that a link that is passed on opens the same; else what this tab showed last. */
export function useEnvironment(): Environment {
  const { mode = sessionStorage.getItem(KEPT_AS) } = useLocation().query;
  return mode === 'live' ? 'live' : 'test';
}

/** Writes the environment into an address that does not say it. */
export function useEnvironmentInAddress(): void {
  const environment = useEnvironment();
  const { path, query, route } = useLocation();
  useEffect(() => {
    sessionStorage.setItem(KEPT_AS, environment);
    if (query['mode'] !== environment)
      route(`${pathWith(path, { ...query, mode: environment })}${location.hash}`, true);
  }, [environment, path, query, route]);
}

/** The address of a page in the environment in sight. */
export function useAddress(): (page: string) => string {
  const mode = useEnvironment();
  return (page) => {
    const { pathname, searchParams, hash } = new URL(page, location.origin);
    return `${pathWith(pathname, { ...Object.fromEntries(searchParams), mode })}${hash}`;
  };
}

/** Goes to a page of the dashboard, in the environment in sight. */
export function useNavigate(): (page: string) => void {
  const { route } = useLocation();
  const addressOf = useAddress();
  return (page) => route(addressOf(page));
}

type LinkProps = {
  to: string;
  /** Looks like a button. */
  is_button?: boolean;
  /** Leads to where one is. */
  is_here?: boolean;
  children: ComponentChildren;
};

/** A link to another page of the dashboard. */
export function Link({ to, is_button = false, is_here = false, children }: LinkProps) {
  const addressOf = useAddress();
  return (
    <a
      href={addressOf(to)}
      class={is_button ? 'button' : undefined}
      aria-current={is_here ? 'page' : undefined}
    >
      {children}
    </a>
  );
}
