/**
 * Addresses of the pages of the dashboard: the API answers them with the document whose script shows the page, others
 * with 404.
 */
export const DASHBOARD_PATHS = [
  '/',
  '/sign-in',
  '/search',
  '/events',
  '/events/:id',
  '/usage-report',
  '/customers',
  '/customers/:id',
  '/plans',
  '/plans/new',
  '/plans/custom',
  '/plans/:id',
  '/plan-migrations',
  '/plan-migrations/:id',
  '/subscriptions',
  '/subscriptions/:id',
  '/subscriptions/:id/change',
  '/invoices',
  '/invoices/:id',
  '/invoices/:id/regenerate',
  '/invoices/:id/credit',
  '/credit-notes',
  '/credit-notes/:id',
  '/payments',
  '/owed',
  '/payments/bank-file',
  '/revenue',
  '/month-end',
  '/collections',
  '/emails',
  '/emails/:id',
  '/changes',
  '/audit-log',
  '/settings',
  '/settings/keys',
  '/settings/account',
  '/settings/email',
  '/settings/payments',
  '/settings/users',
  '/settings/sessions',
  '/settings/webhooks',
  '/settings/webhooks/:id',
  '/settings/webhooks/:id/deliveries/:delivery_id',
] as const;

export type DashboardPath = (typeof DASHBOARD_PATHS)[number];

/**
 * The path, query and fragment of a page of `origin`, of a text that a request brought; Home if a browser there would
 * leave it. What is compared is the outcome: of `/..//host`, a path of ours, `//host` is left, which is another site.
 */
export function dashboardPage(text: string, origin: string): string {
  const url = urlWithin(text, origin);
  if (url === null || !text.startsWith('/')) return '/';
  const page = url.pathname + url.search + url.hash;
  return urlWithin(page, origin) === null ? '/' : page;
}

/** The URL that a browser at `origin` makes of a text; null if there is none, or it is of another site. */
function urlWithin(text: string, origin: string): URL | null {
  if (!URL.canParse(text, origin)) return null;
  const url = new URL(text, origin);
  return url.origin === origin ? url : null;
}
