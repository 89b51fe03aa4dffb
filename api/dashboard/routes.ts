import type { Route } from '../routing/route.ts';
import { homeRoutes } from './home.ts';
import { itemRoutes } from './items.ts';
import { keyRoutes } from './keys.ts';
import { priceRoutes } from './prices.ts';
import { sessionRoutes } from './sessions.ts';
import { unratedRoutes } from './unrated.ts';

/** Routes that the dashboard uses besides /v1. They are not part of the public API and change with the dashboard. */
export const dashboardRoutes: readonly Route[] = [
  ...sessionRoutes,
  ...homeRoutes,
  ...itemRoutes,
  ...keyRoutes,
  ...priceRoutes,
  ...unratedRoutes,
];
