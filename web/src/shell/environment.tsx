import { createContext, type ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso/router';
import { useContext, useEffect } from 'preact/hooks';
import { dashboardPage } from '../../../src/objects/dashboard-paths.ts';
import { pathWith } from '../api/client.ts';
import type { Environment } from '../api/objects.ts';

const KEPT_AS = 'tidemark-environment';

/**
 * The environment of the page: from its address, so that a shared link opens the same data; else the one that this tab
 * showed last.
 */
export function useEnvironment(): Environment {
  const { mode = sessionStorage.getItem(KEPT_AS) } = useLocation().query;
  return mode === 'live' ? 'live' : 'test';
}

/** Adds the environment to an address that lacks it. */
export function useEnvironmentInAddress(): void {
  const environment = useEnvironment();
  const { path, query, route } = useLocation();
  useEffect(() => {
    sessionStorage.setItem(KEPT_AS, environment);
    if (query['mode'] !== environment)
      route(`${pathWith(path, { ...query, mode: environment })}${location.hash}`, true);
  }, [environment, path, query, route]);
}

/**
 * Returns a function that adds the current environment to a page's address. Whatever the page is named by, its address
 * is one of ours.
 */
export function useAddress(): (page: string) => string {
  const mode = useEnvironment();
  return (page) => {
    const { pathname, searchParams, hash } = new URL(dashboardPage(page, location.origin), location.origin);
    return `${pathWith(pathname, { ...Object.fromEntries(searchParams), mode })}${hash}`;
  };
}

/** Returns a function that opens a page of the dashboard in the current environment. */
export function useNavigate(): (page: string) => void {
  const { route } = useLocation();
  const addressOf = useAddress();
  return (page) => route(addressOf(page));
}

type LinkProps = {
  to: string;
  /** True for a link that looks like a button. */
  is_button?: boolean;
  /** The link leads to the current page. */
  is_here?: boolean;
  children: ComponentChildren;
};

/** Whether the pages of the dashboard are out of reach, as for a payer: links are then the words alone. */
export const WithoutPages = createContext(false);

/** A link to another page of the dashboard. */
export function Link(props: LinkProps) {
  return useContext(WithoutPages) ? <>{props.children}</> : <PageLink {...props} />;
}

function PageLink({ to, is_button = false, is_here = false, children }: LinkProps) {
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
