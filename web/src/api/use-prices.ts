import { useEffect, useState } from 'preact/hooks';
import { useClient } from '../shell/session.tsx';
import { asFault, type Fault } from './fault.ts';
import type { List, Price } from './objects.ts';
import type { SentPricing } from './sent-pricing.ts';

/** Debounce: how long to wait after the last change before asking the server. */
const PAUSE_MS = 250;

/**
 * Prices of some quantities, computed by the server's pricing code; asks again whenever the input changes. The previous
 * prices stay visible meanwhile.
 */
export function usePrices(
  pricing: SentPricing,
  currency: string,
  quantities: readonly string[],
): { prices: readonly Price[] | null; fault: Fault | null; is_loading: boolean } {
  const client = useClient();
  const question = JSON.stringify({ charge: { event_name: 'preview', ...pricing }, currency, quantities });
  const [priced, setPriced] = useState<PricedQuestion>({ question: '', prices: null, fault: null });
  useEffect(() => {
    const controller = new AbortController();
    const ask = () =>
      client.ask<List<Price>>('/dashboard/api/prices', JSON.parse(question), controller.signal).then(
        ({ data }) => setPriced({ question, prices: data, fault: null }),
        (error: unknown) => {
          if (!controller.signal.aborted) setPriced({ question, prices: null, fault: asFault(error) });
        },
      );
    const timer = setTimeout(() => void ask(), PAUSE_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [client, question]);
  return { prices: priced.prices, fault: priced.fault, is_loading: priced.question !== question };
}

type PricedQuestion = { question: string; prices: readonly Price[] | null; fault: Fault | null };
