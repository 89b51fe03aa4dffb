import type { Charge } from '../pricing/charge.ts';
import { itemLine } from '../lines/invoice-item.ts';
import { ALL, ratedCharge } from '../pricing/series.ts';
import { issueOf, type DecidedClose } from './close.ts';
import type { CloseContext } from './close-context.ts';
import { isInAdvance, type FeePeriod } from './fee.ts';
import { composeInvoice } from './invoice.ts';

/** All that decides about an opening invoice; `fees` and `charges` are those of its full period. */
type OpeningContext = Pick<CloseContext, 'subscription' | 'period' | 'periods' | 'items'> & {
  fees: FeePeriod;
  charges: readonly Charge[];
};

/** Decides the opening invoice of a period, which is issued as it begins (billing.md 10); null without fees. */
export function decideOpening({
  subscription,
  period,
  fees,
  charges,
  periods,
  items,
}: OpeningContext): DecidedClose | null {
  const { currency, timezone, tax, now } = subscription;
  const rated = charges.filter(isInAdvance).map((charge) => ratedCharge(charge, ALL));
  const composed = composeInvoice({
    plans: new Map([[period.plan_id, rated]]),
    own: null,
    late: [],
    grants: [],
    billed: null,
    fees: { coming: fees, ending: null },
    periods,
    items: items.map((item) => itemLine(item, period)),
    currency,
    timezone,
    tax,
  });
  if (composed.line_items.every(({ type }) => type !== 'flat')) return null;
  const revisions = { usage_revision: 1, credit_revision: 1 };
  return {
    periods: [],
    corrected: [],
    notes: [],
    draft: {
      kind: 'opening',
      period,
      hold_until: now,
      ...revisions,
      is_stale: false,
      composed,
      spans: [],
      groups: [],
    },
    issue: issueOf(subscription, composed, []),
  };
}
