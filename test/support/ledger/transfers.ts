import type { Json } from '../servers/api.ts';
import { at, type testCustomersOn } from './test-customer.ts';

type Given = Pick<ReturnType<typeof testCustomersOn>, 'read' | 'customer' | 'subscribe' | 'plan' | 'advance'>;

/** Customers with invoices that a transfer pays. */
export function transfersOn({ read, customer, subscribe, plan, advance }: Given) {
  /** A customer, at 10 February, with an open invoice of each amount. */
  async function invoicesOf(amounts: readonly string[], parts: object = {}): Promise<Json[]> {
    const customer_id = await customer(parts);
    for (const flat_amount of amounts) {
      const fee = { event_name: `fee ${flat_amount}`, pricing_model: 'flat', flat_amount };
      await subscribe(
        customer_id,
        await plan([fee], 'currency' in parts ? { currency: parts.currency } : {}),
      );
    }
    const invoices = await advance(customer_id, at('02-10'));
    return amounts.map((amount) => invoices.find(({ total }) => total === amount)!);
  }

  return {
    invoicesOf,
    /** A customer, at 10 February, with open invoices of 100.00 and 50.00. */
    twoInvoices: async (): Promise<{ customer_id: string; hundred: Json; fifty: Json }> => {
      const [hundred, fifty] = await invoicesOf(['100.00', '50.00']);
      return { customer_id: hundred!.customer_id, hundred: hundred!, fifty: fifty! };
    },
    owedOf: async ({ id }: Json): Promise<[string, string]> => {
      const { status, amount_due } = await read(`/v1/invoices/${id}`);
      return [status, amount_due];
    },
    balanceOf: async (customer_id: string): Promise<string> =>
      (await read(`/v1/customers/${customer_id}`)).balance,
  };
}
