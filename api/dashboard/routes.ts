import { isAtLeast } from '../../src/domain/people/role.ts';
import { permissionOf } from '../access/permissions.ts';
import type { Route } from '../routing/route.ts';
import { customerFigureRoutes } from './customer-figures.ts';
import { homeRoutes } from './home.ts';
import { itemRoutes } from './items.ts';
import { keyRoutes } from './keys.ts';
import { nameRoutes } from './names.ts';
import { passkeyRoutes } from './passkeys.ts';
import { priceRoutes } from './prices.ts';
import { readSession, sessionRoutes } from './sessions.ts';
import { testClockRoutes } from './test-clocks.ts';
import { unratedRoutes } from './unrated.ts';
import { userRoutes } from './users.ts';

/**
 * Routes that the dashboard uses beside those of /v1. They are not part of the public API and change with the
 * dashboard.
 */
export function dashboardRoutesBeside(public_routes: readonly Route[]): readonly Route[] {
  const session = readSession((role) =>
    [...public_routes, ...routes]
      .filter((route) => isAtLeast(role, permissionOf(route).least_role))
      .map(({ operation_id }) => operation_id),
  );
  const routes: readonly Route[] = [
    session,
    ...sessionRoutes,
    ...passkeyRoutes,
    ...userRoutes,
    ...homeRoutes,
    ...customerFigureRoutes,
    ...itemRoutes,
    ...keyRoutes,
    ...nameRoutes,
    ...priceRoutes,
    ...testClockRoutes,
    ...unratedRoutes,
  ];
  return routes;
}
