import { everyPage } from '../../api/every-page.ts';
import type { Invoice, List, SubscriptionPeriod } from '../../api/objects.ts';
import { useLoad } from '../../api/use-load.ts';
import { QuestionButton } from '../../components/action-button.tsx';
import { Period } from '../../components/values.tsx';
import { useNavigate } from '../../shell/environment.tsx';
import { useClient } from '../../shell/session.tsx';

type BillAgainProps = { invoice: Invoice; changed: () => void };

/** A button on a void invoice that bills its period again; nothing while the period has an invoice. */
export function BillAgain({ invoice, changed }: BillAgainProps) {
  const { id, subscription_id, period_start } = invoice;
  const path = `/v1/subscriptions/${subscription_id}/periods`;
  const periods = useLoad<List<SubscriptionPeriod>>(path, everyPage).value;
  const client = useClient();
  const navigate = useNavigate();
  const period = periods?.data.find((candidate) => candidate.period_start === period_start);
  if (billedBy(invoice, period) !== null) return null;
  const bill = async () => {
    const { data } = await client.post<List<Invoice>>('/v1/invoices/generate', { subscription_id });
    const made = data.find(({ replaces }) => replaces === id) ?? data.find(isOfPeriod(invoice));
    if (made === undefined) changed();
    else navigate(`/invoices/${made.id}`);
  };
  return (
    <QuestionButton
      label="Bill this period again"
      kind="primary"
      question="Bill this period again?"
      perform={bill}
      done_label="No invoice was due."
    >
      <p>
        A new invoice for <Period from={period_start} to={invoice.period_end} timezone={invoice.timezone} />{' '}
        is issued at once, with the usage, credit, tax rate and customer data of now. It replaces this one.
      </p>
      <p>Other ended periods of the subscription that have no invoice are billed with it, in their order.</p>
    </QuestionButton>
  );
}

/** The id of the invoice that bills this one's share of its period; null without one, undefined without the period. */
function billedBy(
  { opening_number, replaced_by }: Invoice,
  period: SubscriptionPeriod | undefined,
): string | null | undefined {
  if (opening_number === null) return period?.invoice_id;
  return opening_number === 1 ? period?.opening_invoice_id : replaced_by;
}

function isOfPeriod({ period_start, opening_number }: Invoice): (made: Invoice) => boolean {
  return (made) => made.period_start === period_start && made.opening_number === opening_number;
}
