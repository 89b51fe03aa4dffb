import { useRoute } from 'preact-iso/router';
import type { Client } from '../../api/client.ts';
import type { RegenerationPreview } from '../../api/objects.ts';
import { useLoad } from '../../api/use-load.ts';
import { Field, Form, type Values, filledIn } from '../../components/form.tsx';
import { Loading } from '../../components/loading.tsx';
import { Page, Section } from '../../components/page.tsx';
import { Link, useNavigate } from '../../shell/environment.tsx';
import { useClient } from '../../shell/session.tsx';
import { OnlyFor } from '../parts/only-for.tsx';
import { InvoiceDiff } from './invoice-diff.tsx';
import { regenerated } from './regeneration.ts';

/** Shows the changes that regenerating an invoice would make, and then regenerates it. */
export function RegeneratePage() {
  const id = useRoute().params['id'] ?? '';
  const loaded = useLoad<RegenerationPreview>(`/v1/invoices/${encodeURIComponent(id)}/regenerate`, previewOf);
  return (
    <Page
      title={`Regenerate ${loaded.value?.current.number ?? 'the invoice'}`}
      actions={<Link to={`/invoices/${encodeURIComponent(id)}`}>Back to the invoice</Link>}
    >
      <p class="lead">
        Regenerating voids this invoice and bills its period again, with the current events, credit, tax rate
        and customer data. Below is a preview; nothing has changed yet.
      </p>
      <OnlyFor use="regenerateInvoice">
        <Loading loaded={loaded}>
          {(preview) => (
            <>
              <InvoiceDiff preview={preview} />
              <Doing preview={preview} />
            </>
          )}
        </Loading>
      </OnlyFor>
    </Page>
  );
}

const previewOf = (client: Client, path: string) => client.post<RegenerationPreview>(path, { dry_run: true });

function Doing({ preview: { current, changes } }: { preview: RegenerationPreview }) {
  const client = useClient();
  const navigate = useNavigate();
  const submit = async (values: Values) =>
    navigate(`/invoices/${await regenerated(client, current.id, filledIn(values))}`);
  return (
    <Section title="Confirm">
      <Form
        submit_label={changes.length === 0 ? 'Regenerate anyway' : 'Void and bill again'}
        submit={submit}
        beside={
          <Link to={`/invoices/${current.id}`} is_button>
            Cancel
          </Link>
        }
      >
        <p>
          {current.number === null
            ? 'The draft becomes void, and a new draft replaces it.'
            : `${current.number} stays as a void invoice; the new one gets a number of its own.`}{' '}
          Events that arrive before the new invoice is created count too.
        </p>
        <Field name="reason" label="Reason" hint="Shown with the voided invoice." />
      </Form>
    </Section>
  );
}
