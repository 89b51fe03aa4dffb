import { changeQuantities, takeBackQuantities } from '../../src/billing/terms/quantities.ts';
import { previewQuantities } from '../../src/billing/previews/quantity-preview.ts';
import { QUANTITY_BILLS } from '../../src/domain/subscription/quantity.ts';
import { QuantityChangePreview, SubscriptionObject } from '../../src/objects/subscription.ts';
import { Type } from 'typebox';
import { notFoundError } from '../http/errors.ts';
import * as examples from '../reference/examples/subscriptions.ts';
import { foundOr404 } from '../routing/found.ts';
import { route } from '../routing/route.ts';
import { ChangeTime, InstantOrDay, SentQuantities, Settle } from '../schema/schemas.ts';
import { exactly, oneOf } from '../../src/objects/parts.ts';
import { changedSubscription, DRY_RUN } from './subscription-terms.ts';

const change = route({
  method: 'post',
  path: '/v1/subscriptions/{id}/quantities',
  operation_id: 'changeQuantities',
  tag: 'Subscriptions',
  summary: 'Change quantities of a subscription, such as its seats',
  description:
    'The quantities hold from `at` on, and no period ends. A higher quantity of a fee in advance is on the invoice that closes the full ' +
    'period, or on an opening as the instant comes; a lower one is a credit note then. Until billing begins, they are those with which it begins.',
  body: exactly({
    quantities: SentQuantities,
    at: ChangeTime,
    settle: Settle,
    bill: oneOf(QUANTITY_BILLS, {
      default: 'with_next',
      description:
        'The invoice of a higher quantity of a fee in advance: the one that closes the full period, or `now`, an opening as the instant comes.',
    }),
    dry_run: DRY_RUN,
  }),
  examples: examples.changeQuantities,
  refusals: ['not_found', 'conflict'],
  responses: { 200: Type.Union([SubscriptionObject, QuantityChangePreview]) },
  // A preview makes bills, and drafts may be counted again.
  may_take_long: () => true,
  handle: async ({ deps, db, caller, params, body: { dry_run, ...request } }) => {
    const { environment_id } = caller;
    const key = { environment_id, subscription_id: params['id']! };
    if (dry_run) return foundOr404(await previewQuantities(db, key, request, deps.config));
    if ((await changeQuantities(db, key, request, deps.config)) === null) throw notFoundError();
    return changedSubscription({ deps, db }, key);
  },
});

const take_back = route({
  method: 'delete',
  path: '/v1/subscriptions/{id}/quantities',
  operation_id: 'takeBackQuantities',
  tag: 'Subscriptions',
  summary: 'Take back the quantities that are scheduled for an instant',
  description: 'Quantities that have come are not taken back: change them once more.',
  query: exactly({ at: InstantOrDay }),
  examples: examples.takeBackQuantities,
  refusals: ['not_found', 'conflict'],
  responses: { 200: SubscriptionObject },
  may_take_long: () => true,
  handle: async ({ deps, db, caller, params, query: { at } }) => {
    const { environment_id } = caller;
    const key = { environment_id, subscription_id: params['id']! };
    if (!(await takeBackQuantities(db, key, at, deps.config))) throw notFoundError();
    return changedSubscription({ deps, db }, key);
  },
});

/** The routes of the quantities of a subscription. */
export const quantityRoutes = { change, take_back };
