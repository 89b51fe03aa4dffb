import { pathWith } from '../../api/client.ts';
import { ACTIONS } from '../../../../src/domain/people/actor.ts';
import type { AuditEntry } from '../../api/objects.ts';
import { useName } from '../../api/use-names.ts';
import { usePages, useQuery } from '../../api/use-pages.ts';
import { DownloadButton } from '../../components/download-button.tsx';
import { Filters } from '../../components/filters.tsx';
import { Field, Select } from '../../components/form.tsx';
import { dayAfter } from '../../components/instant.ts';
import { Empty } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { PagedTable } from '../../components/table.tsx';
import { CustomerField } from '../choices/customer-field.tsx';
import { AUDIT_COLUMNS, sentenceOf } from './audit-columns.tsx';

const ACTORS = [
  { value: '', label: 'Anybody' },
  { value: 'user', label: 'People' },
  { value: 'key', label: 'Programs, by a key' },
  { value: 'command_line', label: 'The command line' },
  { value: 'signal', label: 'Signals by hand' },
  { value: 'portal_session', label: 'Payers, by a portal link' },
  { value: 'system', label: 'Tidemark itself' },
];

const ANY_ACTION = { value: '', label: 'Any' };
const ACTION_CHOICES = ACTIONS.map((action) => ({ value: action, label: sentenceOf(action) }));

/** List of what was done, and by whom, with a file of all that the filters find. */
export function AuditLogPage() {
  const [{ customer_id, object_id, actor, action, from, to }, setQuery] = useQuery();
  const narrowing = { customer_id, object_id, actor, action, from, to };
  const filters = { ...narrowing, to: to && dayAfter(to) };
  const pages = usePages<AuditEntry>('/v1/audit-log', filters);
  const is_filtered = Object.values(narrowing).some(Boolean);
  return (
    <Page
      title="Audit log"
      actions={
        <DownloadButton
          label="Export CSV"
          path={pathWith('/v1/audit-log.csv', filters)}
          name="audit-log.csv"
        />
      }
    >
      <Filters values={narrowing} apply={(values) => setQuery({ ...values, cursor: undefined })}>
        <CustomerField initial={customer_id} />
        <Field name="object_id" label="Object" placeholder="Its id" initial={object_id} />
        <ActorField value={actor ?? ''} />
        <Select name="action" label="Action" options={[ANY_ACTION, ...ACTION_CHOICES]} value={action ?? ''} />
        <Field name="from" label="From (UTC)" type="date" initial={from} />
        <Field name="to" label="To, inclusive" type="date" initial={to} />
      </Filters>
      <PagedTable
        is_list
        caption="Acts, newest first"
        pages={pages}
        keyOf={({ id }) => id}
        columns={AUDIT_COLUMNS}
        empty={
          <Empty title={is_filtered ? 'No matching acts' : 'No acts yet'}>
            <p>
              {is_filtered
                ? 'Remove a filter. Days are in UTC.'
                : 'What people and programs do is listed here.'}
            </p>
          </Empty>
        }
      />
    </Page>
  );
}

/** A choice of kinds of actors; also of the person or the key that a link of the list has chosen. */
function ActorField({ value }: { value: string }) {
  const name = useName('ids', value);
  const is_kind = ACTORS.some((kind) => kind.value === value);
  const options = is_kind ? ACTORS : [...ACTORS, { value, label: name ?? value }];
  return <Select name="actor" label="By" options={options} value={value} />;
}
