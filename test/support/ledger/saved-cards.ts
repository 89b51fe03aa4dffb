import { eventually } from '../servers/eventually.ts';
import type { Stack } from '../servers/stack.ts';
import type { StripeStandIn } from '../servers/stripe-stand-in.ts';
import type { Behaviour } from '../servers/stripe-state.ts';
import { FLAT, type testCustomersOn } from './test-customer.ts';

type Servers = { stack: () => Stack; stripe: () => StripeStandIn };

/** Cards that customers save at the stand-in of Stripe, and invoices that are charged to them. */
export function savedCardsOn(customers: ReturnType<typeof testCustomersOn>, { stack, stripe }: Servers) {
  const { done, read, plan, subscribe, advance } = customers;
  return {
    /** Saves a Visa with these last digits, and waits until it is known; the first one is the default. */
    saveCard: async (customer_id: string, last4: string, behaviour: Behaviour): Promise<void> => {
      const page = await done(`/v1/customers/${customer_id}/payment-method-sessions`);
      stripe().completePage(page.url, behaviour, { last4 });
      await stack().pool.query(
        'update payment_pages set next_read_at = now() where next_read_at is not null',
      );
      await eventually(
        async (): Promise<{ label: string }[]> =>
          (await read(`/v1/payment-methods?customer_id=${customer_id}`)).data,
        (methods) => methods.some(({ label }) => label.endsWith(last4)),
      );
    },
    /** The id of an open invoice of 49.00 USD of a customer at real time. */
    anOpenInvoice: async (customer_id: string): Promise<string> => {
      await subscribe(customer_id, await plan([FLAT]));
      await advance(customer_id, new Date(Date.now() + 32 * 86_400_000).toISOString());
      return (await read(`/v1/invoices?customer_id=${customer_id}&status=open`)).data[0].id;
    },
  };
}
