import { pathWith, type Query } from '../../api/client.ts';
import type { Customer, Home, List, Plan, Subscription } from '../../api/objects.ts';
import { useLoad } from '../../api/use-load.ts';

/** Values for the example commands: from the account's newest objects, else placeholders. */
export type Example = {
  customer_id: string;
  plan_id: string;
  event_name: string;
  /** One day after the end of the subscription's period. */
  after_period: string;
};

const DAY_MS = 86_400_000;

/** The example values, from the newest object of each kind. */
export function useExample(steps: Home['steps']): Example {
  const customer = useNewest<Customer>(steps.customer, '/v1/customers');
  const plan = useNewest<Plan>(steps.plan, '/v1/pricing-plans', { archived: 'false' });
  const subscription = useNewest<Subscription>(steps.subscription, '/v1/subscriptions');
  const subscribed = useLoad<Plan>(subscription ? `/v1/pricing-plans/${subscription.plan_id}` : null).value;
  const period_end = subscription?.current_period_end ?? new Date(Date.now() + 31 * DAY_MS).toISOString();
  return {
    customer_id: subscription?.customer_id ?? customer?.external_id ?? 'acme',
    plan_id: plan?.id ?? 'PUT_THE_ID_OF_THE_PLAN_HERE',
    event_name: (subscribed ?? plan)?.charges[0]?.event_name ?? 'api_call',
    after_period: new Date(Date.parse(period_end) + DAY_MS).toISOString(),
  };
}

function useNewest<Item>(is_there: boolean, path: string, filters: Query = {}): Item | undefined {
  return useLoad<List<Item>>(is_there ? pathWith(path, { ...filters, limit: '1' }) : null).value?.data[0];
}

/** The request of a step, as a shell command that needs API and KEY set. */
export function commandOf(
  step: Exclude<keyof Home['steps'], 'key' | 'seller' | 'finance'>,
  example: Example,
): string {
  const { customer_id, plan_id, event_name, after_period } = example;
  switch (step) {
    case 'customer':
      return post('/v1/customers', { external_id: customer_id, name: 'Acme' });
    case 'plan': {
      const charge = { event_name, pricing_model: 'per_unit', unit_amount: '0.02' };
      return post('/v1/pricing-plans', { name: 'Pay as you go', charges: [charge] });
    }
    case 'subscription':
      return post('/v1/subscriptions', { customer_id, plan_id });
    case 'event':
      return sendEventCommand(event_name, customer_id);
    case 'invoice':
      return post('/v1/test-clock/advance', { customer_id, to: after_period });
  }
}

/** Sets API and KEY for the other commands; the API has the dashboard's origin. */
export function setUpCommand(secret: string | null): string {
  return `export API=${location.origin} KEY=${secret ?? 'PUT_YOUR_KEY_HERE'}`;
}

/** Sends one event. */
export function sendEventCommand(event_name: string, customer_id: string): string {
  return post('/v1/events', { event_name, customer_id, idempotency_key: 'my-first-event' });
}

function post(path: string, body: object): string {
  const in_shell = JSON.stringify(body).replaceAll("'", `'\\''`);
  return [
    `curl -X POST "$API${path}" -H "Authorization: Bearer $KEY" \\`,
    `  -H 'Content-Type: application/json' -d '${in_shell}'`,
  ].join('\n');
}
