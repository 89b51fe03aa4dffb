import type { Json, Received } from '../servers/api.ts';
import { at, times, type testCustomersOn } from './test-customer.ts';

/** Changes of plan of test customers over HTTP. */
export function planChangesOn({
  customer,
  plan,
  subscribe,
  read,
  post,
  done,
}: ReturnType<typeof testCustomersOn>) {
  /** A customer whose time is the first of April, on a plan with this charge from then on. */
  async function onPlan(charge: object, parts: object = {}, dates: object = {}) {
    const customer_id = await customer({}, at('04-01'));
    const plan_id = await plan([charge], parts);
    const { id } = await subscribe(customer_id, plan_id, dates);
    return { customer_id, plan_id, id: id as string };
  }

  const change = (id: string, plan_id: string, when: string, more: object = {}): Promise<Json> =>
    done(`/v1/subscriptions/${id}/change`, { plan_id, at: when, ...more });
  const refused = async (id: string, plan_id: string, when: string): Promise<[number, string, string]> => {
    const { status, body }: Received = await post(`/v1/subscriptions/${id}/change`, { plan_id, at: when });
    const [detail] = body.error.details;
    return [status, detail.reason, detail.param];
  };
  const lines = (invoice: Json) =>
    invoice['line_items'].map((line: Json) => [line['type'], line['quantity'], line['amount']].join(' '));
  const lineSets = (invoices: readonly Json[]) => invoices.map(lines);
  /** The lines of all invoices of a subscription, oldest first. An advance leaves out those of a period that had ended before. */
  const billedOf = async (id: string) =>
    lineSets((await read(`/v1/invoices?subscription_id=${id}`))['data'].reverse());
  const calls = (timestamp: string, count: number) => times(count, { timestamp });

  return { onPlan, change, refused, lines, lineSets, billedOf, calls };
}
