import { useState } from 'preact/hooks';
import { pathWith } from '../../api/client.ts';
import { everyPage } from '../../api/every-page.ts';
import type { Invoice, List, PaymentAttempt, PaymentMethod } from '../../api/objects.ts';
import { useLoad } from '../../api/use-load.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Form, Select, type Values } from '../../components/form.tsx';
import { Loading } from '../../components/loading.tsx';
import { Empty, Notice } from '../../components/notice.tsx';
import { Money } from '../../components/values.tsx';
import { useClient } from '../../shell/session.tsx';
import { CustomerLink } from '../parts/links.tsx';
import { declineInWords, refusalOfCharge } from './charge-words.ts';
import { useHasProvider } from './use-has-provider.ts';

type ChargeProps = { invoice: Invoice; changed: () => void };

/**
 * Charges what is due on an open invoice; nothing where no payment provider is connected. The invoice loads again when
 * the dialog with the outcome closes: a paid one has no such button.
 */
export function ChargeButton({ invoice, changed }: ChargeProps) {
  const client = useClient();
  const has_provider = useHasProvider();
  const [is_asking, setAsking] = useState(false);
  const [attempt, setAttempt] = useState<PaymentAttempt | null>(null);
  if (!has_provider) return null;
  const close = () => {
    setAsking(false);
    setAttempt(null);
    if (attempt !== null) changed();
  };
  const charge = async (values: Values) => {
    const asked = client.post<PaymentAttempt>(`/v1/invoices/${invoice.id}/charge`, values);
    setAttempt(
      await asked.catch((error: unknown) => {
        throw refusalOfCharge(error);
      }),
    );
  };
  return (
    <>
      <button type="button" onClick={() => setAsking(true)}>
        Charge
      </button>
      <Dialog
        title={`Charge ${invoice.number ?? 'this invoice'}`}
        is_open={is_asking || attempt !== null}
        close={close}
      >
        {attempt === null ? (
          <Asking invoice={invoice} charge={charge} close={close} />
        ) : (
          <Outcome attempt={attempt} close={close} />
        )}
      </Dialog>
    </>
  );
}

type AskingProps = { invoice: Invoice; charge: (values: Values) => Promise<void>; close: () => void };

/** Asks which method of the customer is charged. */
function Asking({ invoice, charge, close }: AskingProps) {
  const { customer_id, amount_due, currency } = invoice;
  const path = pathWith('/v1/payment-methods', { customer_id });
  const loaded = useLoad<List<PaymentMethod>>(path, everyPage);
  return (
    <Loading loaded={loaded}>
      {({ data }) => {
        const options = optionsOf(data);
        if (options.length === 0) return <NoMethod customer_id={customer_id} />;
        return (
          <Form submit_label="Charge" submit={charge} beside={<Close label="Cancel" close={close} />}>
            <p>
              <Money amount={amount_due} currency={currency} /> are charged at once, at any hour.
            </p>
            <Select name="payment_method_id" label="Payment method" options={options} />
          </Form>
        );
      }}
    </Loading>
  );
}

/** The methods that can be charged, the default one first. */
function optionsOf(methods: readonly PaymentMethod[]): { value: string; label: string }[] {
  return methods
    .filter(({ status }) => status === 'active')
    .toSorted((a, b) => Number(b.is_default) - Number(a.is_default))
    .map(({ id, label, is_default }) => ({ value: id, label: is_default ? `${label} (default)` : label }));
}

function NoMethod({ customer_id }: { customer_id: string }) {
  return (
    <Empty title="The customer has no method that can be charged">
      <p>
        Save one on the page of <CustomerLink id={customer_id} />.
      </p>
    </Empty>
  );
}

type OutcomeProps = { attempt: PaymentAttempt; close: () => void };

function Outcome({ attempt, close }: OutcomeProps) {
  const { status, amount, currency } = attempt;
  const kind = status === 'succeeded' ? 'good' : 'attention';
  return (
    <>
      <Notice kind={kind}>
        <p>
          <Money amount={amount} currency={currency} />: {outcomeInWords(attempt)}
        </p>
      </Notice>
      <div class="form-buttons">
        <Close label="Close" close={close} />
      </div>
    </>
  );
}

function outcomeInWords(attempt: PaymentAttempt): string {
  switch (attempt.status) {
    case 'succeeded':
      return 'the charge succeeded.';
    case 'declined':
      return `the charge was declined, and nothing was taken: ${declineInWords(attempt) ?? 'without a reason'}.`;
    case 'action_required':
      return 'the bank wants the payer to confirm the charge. Nothing was taken.';
    case 'canceled':
      return 'the charge was canceled, and nothing was taken.';
    case 'pending':
      return 'the charge is under way and goes on by itself. Its outcome will be on this page.';
    case 'processing':
      return 'the charge is under way. The provider says in some days whether it succeeded.';
  }
}

function Close({ label, close }: { label: string; close: () => void }) {
  return (
    <button type="button" onClick={close}>
      {label}
    </button>
  );
}
