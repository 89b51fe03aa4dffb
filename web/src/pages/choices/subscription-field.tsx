import { useCallback } from 'preact/hooks';
import { pathWith, type Client } from '../../api/client.ts';
import type { List, Names, Subscription } from '../../api/objects.ts';
import { useLoad } from '../../api/use-load.ts';
import { useName } from '../../api/use-names.ts';
import { Combobox, type Choice } from '../../components/combobox.tsx';
import { words as inWords } from '../../components/values.tsx';
import { useClient } from '../../shell/session.tsx';
import { findCustomers } from './customer-field.tsx';

/** Customers whose subscriptions are offered: each is a request. */
const CUSTOMERS_MAX = 5;

type SubscriptionFieldProps = {
  label?: string;
  hint?: string;
  initial?: string | undefined;
  /** Offers the subscriptions of this customer alone, by either id. */
  customer_id?: string;
};

/**
 * A field for a subscription, by the name, email or id of its customer, or by its own id. Its value is
 * `subscription_id`.
 */
export function SubscriptionField(props: SubscriptionFieldProps) {
  const { label = 'Subscription', hint, initial, customer_id } = props;
  const client = useClient();
  const find = useCallback(
    async (words: string, signal: AbortSignal) => {
      if (customer_id === undefined)
        return choicesOf(client, await findSubscriptions(client, words, signal), signal);
      const choices = await choicesOf(client, await ofCustomer(client, customer_id, signal), signal);
      return choices.filter(({ value, label: name }) => value === words || contains(name, words));
    },
    [client, customer_id],
  );
  return (
    <Combobox
      name="subscription_id"
      label={label}
      hint={hint}
      placeholder={customer_id === undefined ? 'Customer or id' : 'Plan or id'}
      initial={initial}
      find={find}
      useLabel={useSubscriptionLabel}
    />
  );
}

async function findSubscriptions(
  client: Client,
  words: string,
  signal: AbortSignal,
): Promise<Subscription[]> {
  if (words === '') return (await client.get<List<Subscription>>('/v1/subscriptions?limit=10', signal)).data;
  if (words.startsWith('sub_')) {
    const path = pathWith('/v1/search', { q: words });
    const { data } = await client.get<List<Subscription | { object: 'other' }>>(path, signal);
    return data.filter((result) => result.object === 'subscription');
  }
  const customers = (await findCustomers(client, words, signal)).slice(0, CUSTOMERS_MAX);
  const lists = await Promise.all(customers.map(({ id }) => ofCustomer(client, id, signal)));
  return lists.flat();
}

async function ofCustomer(client: Client, customer_id: string, signal: AbortSignal): Promise<Subscription[]> {
  const path = pathWith('/v1/subscriptions', { customer_id, limit: '200' });
  return (await client.get<List<Subscription>>(path, signal)).data;
}

async function choicesOf(
  client: Client,
  subscriptions: readonly Subscription[],
  signal: AbortSignal,
): Promise<Choice[]> {
  const distinct = (ids: readonly string[]) => [...new Set(ids)].slice(0, 200);
  const request = {
    customers: distinct(subscriptions.map(({ customer_id }) => customer_id)),
    ids: distinct(subscriptions.map(({ plan_id }) => plan_id)),
  };
  const names = await client.ask<Names>('/dashboard/api/names', request, signal);
  const customers = new Map(Object.entries(names.customers));
  const plans = new Map(Object.entries(names.ids));
  return subscriptions.map(({ id, customer_id, plan_id, status, start_date }) => ({
    value: id,
    label: labelOf(customers.get(customer_id) ?? customer_id, plans.get(plan_id) ?? plan_id),
    details: `${inWords(status)}, from ${start_date.slice(0, 10)}`,
  }));
}

const labelOf = (customer: string, plan: string) => `${customer}: ${plan}`;

const contains = (text: string, words: string) => text.toLowerCase().includes(words.toLowerCase());

function useSubscriptionLabel(id: string): string | null {
  const path = id.startsWith('sub_') ? `/v1/subscriptions/${encodeURIComponent(id)}` : null;
  const { customer_id = '', plan_id = '' } = useLoad<Subscription>(path).value ?? {};
  const customer = useName('customers', customer_id) ?? customer_id;
  const plan = useName('ids', plan_id) ?? plan_id;
  return plan === '' ? null : labelOf(customer, plan);
}
