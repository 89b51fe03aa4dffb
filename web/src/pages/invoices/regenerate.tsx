import { useRoute } from 'preact-iso/router';
import type { Client } from '../../api/client.ts';
import type { RegenerationPreview } from '../../api/objects.ts';
import { useLoad } from '../../api/use-load.ts';
import { Field, Form, type Values, filledIn } from '../../components/form.tsx';
import { Loading } from '../../components/loading.tsx';
import { Page, Section } from '../../components/page.tsx';
import { Link, useNavigate } from '../../shell/environment.tsx';
import { useClient } from '../../shell/session.tsx';
import { InvoiceDiff } from './invoice-diff.tsx';
import { regenerated } from './regeneration.ts';

/** What regenerating an invoice would change, and then the doing. */
export function RegeneratePage() {
  const id = useRoute().params['id'] ?? '';
  const loaded = useLoad<RegenerationPreview>(`/v1/invoices/${encodeURIComponent(id)}/regenerate`, previewOf);
  return (
    <Page
      title={`Regenerate ${loaded.value?.current.number ?? 'the invoice'}`}
      actions={<Link to={`/invoices/${id}`}>Back to the invoice</Link>}
    >
      <p class="lead">
        The invoice is made void and its period billed again, with the events, the credit, the tax rate and
        the customer’s data as they are now. Below is what would come of it; nothing has been changed yet.
      </p>
      <Loading of={loaded}>
        {(preview) => (
          <>
            <InvoiceDiff preview={preview} />
            <Doing preview={preview} />
          </>
        )}
      </Loading>
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
    <Section title="Do it">
      <Form
        submit_label={changes.length === 0 ? 'Regenerate all the same' : 'Void it and bill again'}
        submit={submit}
        beside={
          <Link to={`/invoices/${current.id}`} is_button>
            Leave it as it is
          </Link>
        }
      >
        <p>
          {current.number === null
            ? 'The draft becomes void, and another draft takes its place.'
            : `${current.number} stays as a void invoice; the new one gets a number of its own.`}{' '}
          Events that come in meanwhile count too.
        </p>
        <Field name="reason" label="Reason" hint="Shown with the void invoice." />
      </Form>
    </Section>
  );
}
