import { pathWith } from '../../api/client.ts';
import { ACTIONS } from '../../../../src/domain/people/actor.ts';
import type { AuditEntry, List, User } from '../../api/objects.ts';
import { useLoad } from '../../api/use-load.ts';
import { useName } from '../../api/use-names.ts';
import { usePages, useQuery } from '../../api/use-pages.ts';
import { DownloadButton } from '../../components/download-button.tsx';
import { Filters } from '../../components/filters.tsx';
import { Field, Select } from '../../components/form.tsx';
import { dayAfter } from '../../components/instant.ts';
import { Empty } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { PagedTable } from '../../components/table.tsx';
import { useMay } from '../../shell/session.tsx';
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

const SIGN_INS = [
  { value: '', label: 'left out' },
  { value: 'true', label: 'shown' },
];

const ANY_ACTION = { value: '', label: 'Any' };
const ACTION_CHOICES = ACTIONS.map((action) => ({ value: action, label: sentenceOf(action) }));

/** List of what was done, and by whom, with a file of all that the filters find. */
export function AuditLogPage() {
  const [{ customer_id, object_id, actor, action, sign_ins, from, to }, setQuery] = useQuery();
  const narrowing = { customer_id, object_id, actor, action, sign_ins, from, to };
  // Sign-ins are left out at first: they would stand between the changes that a reader looks for.
  const filters = { ...narrowing, sign_ins: sign_ins || 'false', to: to && dayAfter(to) };
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
        <Field name="object_id" label="Object" placeholder="Number or id" initial={object_id} />
        <ActorField value={actor ?? ''} />
        <Select name="action" label="Action" options={[ANY_ACTION, ...ACTION_CHOICES]} value={action ?? ''} />
        <Select name="sign_ins" label="Sign-ins" options={SIGN_INS} value={sign_ins ?? ''} />
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

/**
 * A choice of kinds of actors, for admins also of each person; also of the person or the key that a link of the list
 * has chosen.
 */
function ActorField({ value }: { value: string }) {
  const name = useName('ids', value);
  const users = useLoad<List<User>>(useMay('listUsers') ? '/dashboard/api/users?limit=200' : null).value;
  const people = (users?.data ?? []).map((user) => ({ value: user.id, label: user.name }));
  const known = [...ACTORS, ...people];
  const is_known = known.some((choice) => choice.value === value);
  const options = is_known ? known : [...known, { value, label: name ?? value }];
  return <Select name="actor" label="By" options={options} value={value} />;
}
