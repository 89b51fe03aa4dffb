import { useRoute } from 'preact-iso/router';
import { isAbove } from '../../../../src/domain/money/figures.ts';
import { useLoad } from '../../api/use-load.ts';
import { Loading } from '../../components/loading.tsx';
import { Empty } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { Link } from '../../shell/environment.tsx';
import { OnlyFor } from '../parts/only-for.tsx';
import { CreditForm } from './credit-form.tsx';
import { readCreditable, type Creditable } from './creditable.ts';

/** Credits lines of an invoice: a form, a preview, and then the issue of the credit note. */
export function NewCreditNotePage() {
  const id = useRoute().params['id'] ?? '';
  const loaded = useLoad<Creditable>(`/v1/invoices/${encodeURIComponent(id)}`, readCreditable);
  return (
    <Page
      title={`Credit ${loaded.value?.invoice.number ?? 'an invoice'}`}
      actions={<Link to={`/invoices/${encodeURIComponent(id)}`}>Back to the invoice</Link>}
    >
      <p class="lead">
        A credit note corrects an invoice that was sent. It first reduces what is due on the invoice. What was
        paid goes to the customer’s balance, or is paid back outside. The invoice itself does not change.
      </p>
      <OnlyFor use="createCreditNote">
        <Loading loaded={loaded}>{(creditable) => <Doing key={id} creditable={creditable} />}</Loading>
      </OnlyFor>
    </Page>
  );
}

function Doing({ creditable }: { creditable: Creditable }) {
  const { status } = creditable.invoice;
  if (status === 'draft' || status === 'void')
    return <Empty title={`This invoice is ${status}; only an issued invoice can be credited`} />;
  if (!isAbove(creditable.left, '0')) return <Empty title="Nothing is left to credit on this invoice" />;
  return <CreditForm creditable={creditable} />;
}
