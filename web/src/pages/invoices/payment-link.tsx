import { useState } from 'preact/hooks';
import type { Invoice, PaymentSession } from '../../api/objects.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { CopyButton } from '../../components/copy.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Code, Money, Time } from '../../components/values.tsx';
import { useClient } from '../../shell/session.tsx';
import { refusalOfPage } from './charge-words.ts';
import { useHasProvider } from './use-has-provider.ts';

/** A button that makes the page on which an open invoice is paid; nothing where no payment provider is connected. */
export function PaymentLink({ invoice: { id, number } }: { invoice: Invoice }) {
  const client = useClient();
  const has_provider = useHasProvider();
  const [made, setMade] = useState<PaymentSession | null>(null);
  if (!has_provider) return null;
  const make = async () => {
    const asked = client.post<PaymentSession>(`/v1/invoices/${id}/payment-sessions`);
    setMade(
      await asked.catch((error: unknown) => {
        throw refusalOfPage(error);
      }),
    );
  };
  const close = () => setMade(null);
  return (
    <>
      <ActionButton label="Payment link" perform={make} done_label="" />
      <Dialog title={`Payment link of ${number ?? 'this invoice'}`} is_open={made !== null} close={close}>
        {made !== null && <Made session={made} close={close} />}
      </Dialog>
    </>
  );
}

function Made({ session, close }: { session: PaymentSession; close: () => void }) {
  const { url, amount, currency, expires_at } = session;
  return (
    <>
      <p>
        A person who has it pays <Money amount={amount} currency={currency} /> there until{' '}
        <Time at={expires_at} />. For a longer time, send a portal link: its page has the button Pay.
      </p>
      {url !== null && (
        <p class="secret">
          <Code>{url}</Code> <CopyButton text={url} what="the link" />
        </p>
      )}
      <div class="form-buttons">
        <button type="button" onClick={close}>
          Close
        </button>
      </div>
    </>
  );
}
