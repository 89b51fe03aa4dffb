import { compare, untilSettled } from './command.ts';
import { newWorld, subscribe } from '../model/model.ts';
import { datesFor } from './dates.ts';
import { planFor } from './plans.ts';
import type { Beginnings, Intention } from './life.ts';
import { namesOf } from '../model/quantities.ts';
import type { Quantities } from '../model/quantity-requests.ts';
import type { Account } from '../run/accounts.ts';
import { done, untilBilled, type Session } from '../run/session.ts';
import type { Pricing } from '../../../src/domain/pricing/definitions.ts';
import type { Division, Plan, PlanGrant, World } from '../model/world.ts';

export type Life = { model: World; real: Session };

/** A new customer with a stopped clock and a first subscription. */
export async function begin(
  { request, provider, untilIdle }: Account,
  customer_id: string,
  { customer, now, intention }: Beginnings,
): Promise<Life> {
  const { digits: _, ...fields } = customer;
  const real: Session = {
    request,
    ...{ customer_id, provider, untilIdle },
    ...{
      events: [],
      plans: [],
      subscriptions: [],
      methods: [],
      pages: [],
      collections: [],
      changed: new Set(),
      deposits: [],
      transfers: [],
      closed: new Map(),
      grants: [],
      discounts: [],
      invoices: [],
      items: [],
      steps: [],
    },
  };
  const model = newWorld(customer, now);
  const { net_days } = model.collection.settings;
  await done(real, '/v1/customers', { external_id: customer_id, ...fields, net_days });
  await untilBilled(real, now, false);
  const { currency, tax_rate, timezone } = customer;
  real.steps.push(`a customer in ${timezone} with ${currency} and ${tax_rate} % of tax; it is ${now}`);
  await makeSubscription({ model, real }, intention);
  await compare(model, real);
  return { model, real };
}

/** Creates a plan and a subscription to it, starting today as intended. Periods that lie in the past are billed when this returns. */
export async function makeSubscription({ model, real }: Life, intention: Intention): Promise<void> {
  const { customer_id } = real;
  const place = model.subscriptions.length;
  const plan = planFor(intention, place);
  const dates = datesFor(intention, place, model.now);
  const quantities = firstQuantities(plan, intention);
  const { bill_at } = intention;
  const body = {
    customer_id,
    plan_id: await makePlan({ model, real }, plan),
    start_date: dates.start,
    trial_end_date: dates.trial_end,
    billing_anchor: dates.anchor,
    ...(Object.keys(quantities).length === 0 ? {} : { quantities }),
    ...(bill_at === null ? {} : { bill_at }),
  };
  const { id } = await done(real, '/v1/subscriptions', body);
  real.subscriptions.push(id);
  const shown = Object.entries(dates).flatMap(([name, date]) => (date === null ? [] : [`${name} ${date}`]));
  const sent = `, ${JSON.stringify({ quantities, bill_at })}`;
  real.steps.push(`subscribe to ${JSON.stringify(plan)}: ${shown.join(', ')}${sent}`);
  subscribe(model, plan, { ...dates, quantities, bill_at });
  await untilSettled(model, real);
}

/** The quantities that are sent with a new subscription; names that are left out have 1. */
function firstQuantities(plan: Plan, { quantities }: Intention): Quantities {
  const named = namesOf(plan).map((name, place) => [name, quantities[place] ?? null] as const);
  return Object.fromEntries(
    named.flatMap(([name, quantity]) => (quantity === null ? [] : [[name, quantity]])),
  );
}

/** The body of a custom plan, whose base is made before. */
async function customBody({ model, real }: Life, { custom }: Plan): Promise<object> {
  const { base, terms } = custom!;
  const { overrides, grants, minimum_amount } = terms;
  const known = real.plans[model.plans.indexOf(base)]?.id;
  const based_on = known ?? (await makePlan({ model, real }, base));
  const sent = overrides.map(({ fields, prices, ...override }) => ({
    ...override,
    ...(prices === undefined ? {} : { prices: prices.map(listedPrice) }),
    ...fields,
  }));
  return {
    ...{ based_on, customer_id: real.customer_id, overrides: sent },
    ...(grants === undefined ? {} : { grants: grants.map(grantBody) }),
    ...(minimum_amount === undefined ? {} : { minimum_amount }),
  };
}

/** Creates a plan; returns its id. */
export async function makePlan({ model, real }: Life, plan: Plan): Promise<string> {
  const body =
    plan.custom === undefined ? planBody(plan, model.currency) : await customBody({ model, real }, plan);
  const { id, charges } = await done(real, '/v1/pricing-plans', body);
  real.plans.push({ id, charges: charges.map((charge: { id: string }) => charge.id) });
  model.plans.push(plan);
  return id;
}

function planBody(
  { charges, grants, minimum_amount, interval, interval_count }: Plan,
  currency: string,
): object {
  const wired = charges.map(({ event_name, aggregation, filters, pricing, division, has_quantity }) => ({
    event_name,
    aggregation,
    ...(filters === null ? {} : { filters }),
    ...(division === undefined ? pricing : dividedBody(pricing, division)),
    ...(has_quantity ? { quantity: 'subscription' } : {}),
  }));
  const terms = grants.map(grantBody);
  return {
    ...{ name: 'Plan', currency, interval, interval_count, charges: wired },
    ...(minimum_amount === null ? {} : { minimum_amount }),
    ...(terms.length > 0 ? { grants: terms } : {}),
  };
}

function grantBody({ amount, carry_over_max, prorate, ...rest }: PlanGrant): object {
  return {
    ...rest,
    amount: Number(amount),
    ...(carry_over_max === null ? {} : { carry_over_max: Number(carry_over_max) }),
    ...(prorate ? { prorate } : {}),
  };
}

type Listed = NonNullable<Division['prices']>[number];

function listedPrice({ match, pricing: { pricing_model: _model, ...fields } }: Listed): object {
  return { ...(match === null ? { default: true } : { match }), ...fields };
}

function dividedBody(pricing: Pricing, { prices, group_by }: Division): object {
  const { pricing_model } = pricing;
  const listed = prices?.map(listedPrice);
  return {
    ...(listed === undefined ? pricing : { pricing_model, prices: listed }),
    ...(group_by === null ? {} : { group_by }),
  };
}
