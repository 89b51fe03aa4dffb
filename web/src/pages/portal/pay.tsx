import { createContext, type ComponentChildren } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { isZero } from '../../../../src/domain/money/figures.ts';
import type { Invoice, PaymentSession } from '../../api/objects.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { grouped } from '../../components/grouped.ts';
import { Notice } from '../../components/notice.tsx';
import { Money } from '../../components/values.tsx';
import { useClient } from '../../shell/session.tsx';
import { refusalOfPage } from '../invoices/charge-words.ts';
import { openProviderPage, sessionOfAddress } from './provider-page.ts';

/** Whether a payment provider is connected, on whose page invoices are paid. */
export const MayPay = createContext(false);

/** A button that leads to the page on which an open invoice is paid; nothing if nothing is due. */
export function PayButton({ invoice }: { invoice: Invoice }) {
  const { id, status, amount_due, currency } = invoice;
  const client = useClient();
  if (!useContext(MayPay) || status !== 'open' || isZero(amount_due)) return null;
  const pay = async () => {
    const asked = client.post<PaymentSession>(`/v1/invoices/${id}/payment-sessions`);
    const { url } = await asked.catch((error: unknown) => {
      throw refusalOfPage(error);
    });
    if (url !== null) openProviderPage(url);
  };
  return (
    <ActionButton
      label={`Pay ${grouped(amount_due)} ${currency}`}
      kind="primary"
      perform={pay}
      done_label=""
    />
  );
}

/** Reads the payment with which the payer comes back, before anything else is loaded, and says what became of it. */
export function Returned({ children }: { children: ComponentChildren }) {
  const client = useClient();
  const [id] = useState(sessionOfAddress);
  const [is_read, setRead] = useState(id === null);
  const [session, setSession] = useState<PaymentSession | null>(null);
  useEffect(() => {
    if (id === null) return;
    client
      .post<PaymentSession>(`/v1/payment-sessions/${encodeURIComponent(id)}/refresh`)
      // Of a provider that does not answer, or of another customer, there is nothing to say.
      .then(setSession, () => null)
      .finally(() => setRead(true));
  }, [client, id]);
  if (!is_read) return <p>Please wait …</p>;
  return (
    <>
      {session !== null && <Outcome session={session} />}
      {children}
    </>
  );
}

function Outcome({ session: { status, url, amount, currency } }: { session: PaymentSession }) {
  if (status === 'paid')
    return (
      <Notice kind="good">
        <p>
          Thank you: your payment of <Money amount={amount} currency={currency} /> has arrived.
        </p>
      </Notice>
    );
  return status === 'open' && url === null ? (
    <Notice kind="attention">
      <p>
        Your payment of <Money amount={amount} currency={currency} /> is under way. The bank needs some days.
      </p>
    </Notice>
  ) : null;
}
