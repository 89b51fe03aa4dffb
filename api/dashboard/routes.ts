import type { Route } from '../routing/route.ts';
import { accountRoutes } from './account.ts';
import { homeRoutes } from './home.ts';
import { keyRoutes } from './keys.ts';
import { priceRoutes } from './prices.ts';
import { sessionRoutes } from './sessions.ts';
import { unratedRoutes } from './unrated.ts';

/** What the dashboard asks besides /v1. It is no part of the interface: it changes with the dashboard. */
export const dashboardRoutes: readonly Route[] = [
  ...sessionRoutes,
  ...homeRoutes,
  ...keyRoutes,
  ...accountRoutes,
  ...priceRoutes,
  ...unratedRoutes,
];
