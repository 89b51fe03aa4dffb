import { useCallback } from 'preact/hooks';
import { pathWith, type Client } from '../../api/client.ts';
import type { Customer, Found, List } from '../../api/objects.ts';
import { useLearnName, useName } from '../../api/use-names.ts';
import { Combobox, type Choice } from '../../components/combobox.tsx';
import { useClient } from '../../shell/session.tsx';

type CustomerFieldProps = { label?: string; hint?: string; initial?: string | undefined };

/** A field for a customer, by name, email or id. Its value, `customer_id`, is the external id. */
export function CustomerField({ label = 'Customer', hint, initial }: CustomerFieldProps) {
  const client = useClient();
  const learn = useLearnName();
  const find = useCallback(
    async (words: string, signal: AbortSignal) => {
      const customers = await findCustomers(client, words, signal);
      // A filter shows the name of what was chosen also after it has loaded the list.
      for (const { external_id, name } of customers) learn('customers', external_id, name);
      return customers.map(choiceOf);
    },
    [client, learn],
  );
  return (
    <Combobox
      name="customer_id"
      label={label}
      hint={hint}
      placeholder="Name, email or id"
      initial={initial}
      find={find}
      useLabel={useCustomerLabel}
    />
  );
}

/** Customers by some words, the best first; without words the newest. */
export async function findCustomers(client: Client, words: string, signal: AbortSignal): Promise<Customer[]> {
  if (words === '') return (await client.get<List<Customer>>('/v1/customers?limit=10', signal)).data;
  const { data } = await client.get<List<Found>>(pathWith('/v1/search', { q: words }), signal);
  return data.filter((result) => result.object === 'customer');
}

function choiceOf({ external_id, name, email }: Customer): Choice {
  const details = [name === null ? null : external_id, email].filter((detail) => detail !== null);
  return { value: external_id, label: name ?? external_id, details: details.join(', ') };
}

function useCustomerLabel(external_id: string): string | null {
  return useName('customers', external_id) ?? null;
}
