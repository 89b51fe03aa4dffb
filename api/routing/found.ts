import { notFoundError } from '../http/errors.ts';
import type { RouteResponse } from './route.ts';

/** A 200 with what was found or changed. Throws not_found for null. */
export function foundOr404<Body>(body: Body | null): RouteResponse<200, Body> {
  if (body === null) throw notFoundError();
  return { status: 200, body };
}
