import { uuidOfEventId } from './event-id.ts';
import type { Db } from './pool.ts';

/** Why no invoice will count an event. */
export type UnratedReason =
  | 'no_subscription'
  | 'no_charge'
  | 'filters_do_not_match'
  | 'before_start'
  | 'after_cancellation'
  | 'property_missing'
  | 'property_not_usable';

/** What billing makes of an event for one charge of one subscription (contract.md 2). A draft's line is named, and pending. */
export type EventFate = {
  charge_id: string | null;
  subscription_id: string | null;
  status: 'pending' | 'billed' | 'late' | 'trial' | 'unrated';
  reason: UnratedReason | null;
  invoice_id: string | null;
  line_item_id: string | null;
};

type Wish = {
  charge_id: string | null;
  subscription_id: string;
  matches: boolean;
  before_start: boolean;
  after_cancellation: boolean;
  in_trial: boolean;
  has_property: boolean;
  is_counted: boolean;
  invoice_id: string | null;
  invoice_status: string | null;
  line_item_id: string | null;
  period_is_issued: boolean;
};

/** The fate of an event that exists; never empty: what no charge wants is one entry that says why. */
export async function fateOf(db: Db, environment_id: number, event_id: string): Promise<EventFate[]> {
  const { rows } = await db.query<Wish>(WISHES, [environment_id, uuidOfEventId(event_id)]);
  const wanted = rows.filter((wish) => wish.charge_id !== null && wish.matches).map(fateOfWish);
  if (wanted.length > 0) return wanted;
  if (rows.length === 0) return [unwanted('no_subscription')];
  return [unwanted(rows.some((wish) => wish.charge_id !== null) ? 'filters_do_not_match' : 'no_charge')];
}

function unwanted(reason: UnratedReason): EventFate {
  return {
    charge_id: null,
    subscription_id: null,
    status: 'unrated',
    reason,
    invoice_id: null,
    line_item_id: null,
  };
}

function fateOfWish(wish: Wish): EventFate {
  const { charge_id, subscription_id, invoice_id, line_item_id } = wish;
  return { charge_id, subscription_id, ...statusOf(wish), invoice_id, line_item_id };
}

function statusOf(wish: Wish): Pick<EventFate, 'status' | 'reason'> {
  if (wish.before_start) return { status: 'unrated', reason: 'before_start' };
  if (wish.after_cancellation) return { status: 'unrated', reason: 'after_cancellation' };
  if (wish.in_trial) return { status: 'trial', reason: null };
  if (!wish.has_property) return { status: 'unrated', reason: 'property_missing' };
  if (!wish.is_counted) return { status: 'unrated', reason: 'property_not_usable' };
  if (wish.invoice_status === 'draft') return { status: 'pending', reason: null };
  if (wish.invoice_status !== null) return { status: 'billed', reason: null };
  return { status: wish.period_is_issued ? 'late' : 'pending', reason: null };
}

/** Every charge by event name of every subscription of the customer; a subscription without one gives a row without a charge. */
const WISHES = `
  select h.id as charge_id, s.id as subscription_id,
    coalesce(event_matches(e.properties, h.filters), false) as matches,
    e.timestamp < s.start_date as before_start,
    coalesce(e.timestamp >= s.cancel_at, false) as after_cancellation,
    coalesce(e.timestamp < s.trial_end_date, false) as in_trial,
    h.aggregation ->> 'type' = 'count' or e.properties ? (h.aggregation ->> 'property') as has_property,
    case h.aggregation ->> 'type'
      when 'count' then true
      when 'unique' then
        jsonb_typeof(e.properties -> (h.aggregation ->> 'property')) in ('string', 'number', 'boolean')
      else event_number(e.properties -> (h.aggregation ->> 'property')) is not null
    end as is_counted,
    held.invoice_id, held.invoice_status, held.line_item_id,
    exists (
      select from invoices i
      where i.environment_id = s.environment_id and i.subscription_id = s.id and i.status in ('open', 'paid')
        and e.timestamp >= i.period_start and e.timestamp < i.period_end) as period_is_issued
  from events e
  join customers c on c.environment_id = e.environment_id and c.key = e.customer_key
  join subscriptions s on s.environment_id = e.environment_id and s.customer_id = c.id
  left join charges h on h.environment_id = s.environment_id and h.plan_id = s.plan_id and h.event_name = e.event_name
    and h.pricing ->> 'pricing_model' <> 'flat'
  left join lateral (
    select i.id as invoice_id, i.status as invoice_status, l.id as line_item_id
    from invoices i
    join line_items l on l.environment_id = i.environment_id and l.invoice_id = i.id and l.charge_id = h.id
    join line_item_spans p on p.environment_id = l.environment_id and p.line_item_id = l.id
      and e.timestamp >= p.timestamp_from and e.timestamp < p.timestamp_to
    join cut_offs u on u.environment_id = p.environment_id and u.id = p.up_to_cut_off_id
      and event_in_cut_off(e.epoch, e.created_xid, u.epoch, u.snapshot)
    left join cut_offs a on a.environment_id = p.environment_id and a.id = p.after_cut_off_id
    where i.environment_id = s.environment_id and i.subscription_id = s.id and i.status <> 'void'
      and (a.id is null or not event_in_cut_off(e.epoch, e.created_xid, a.epoch, a.snapshot))
    order by i.id
    limit 1
  ) as held on event_matches(e.properties, h.filters)
  where e.environment_id = $1 and e.key_hash = $2
  order by s.id, h.position`;
