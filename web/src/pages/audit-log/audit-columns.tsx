import type { AuditEntry } from '../../api/objects.ts';
import { pathWith } from '../../api/client.ts';
import type { Column } from '../../components/table.tsx';
import { Cut, Time, utcTime, words } from '../../components/values.tsx';
import { Link } from '../../shell/environment.tsx';
import { CutCustomerLink } from '../parts/links.tsx';
import { ObjectLink } from '../parts/object-link.tsx';

const TIME: Column<AuditEntry> = { title: 'Time', show: ({ created_at }) => <Time at={created_at} /> };
const OBJECT: Column<AuditEntry> = {
  title: 'Object',
  show: (entry) => <ObjectLink object={entry} is_gone={/\.(deleted|removed)$/.test(entry.action)} />,
};
const CUSTOMER: Column<AuditEntry> = {
  title: 'Customer',
  show: ({ customer_id, action }) => {
    if (customer_id === null) return <span class="faint">–</span>;
    return action === 'customer.deleted' ? <Cut text={customer_id} /> : <CutCustomerLink id={customer_id} />;
  },
};
const WHAT: Column<AuditEntry> = { title: 'What', show: ({ action }) => sentenceOf(action) };
const WHO: Column<AuditEntry> = { title: 'By', show: ({ actor }) => <Actor actor={actor} /> };
const CHANGED: Column<AuditEntry> = { title: 'Changed', show: (entry) => <Changed entry={entry} /> };

/** An act in the list of all. */
export const AUDIT_COLUMNS: readonly Column<AuditEntry>[] = [TIME, WHAT, OBJECT, CUSTOMER, WHO, CHANGED];

/** An act on the page of its object, or of its customer. */
export const HISTORY_COLUMNS: readonly Column<AuditEntry>[] = [TIME, WHAT, OBJECT, WHO, CHANGED];

/** An action in words: invoice.voided becomes "Invoice voided". */
export function sentenceOf(action: string): string {
  const [object = '', verb = ''] = action.split('.');
  const text = `${words(object)} ${words(verb)}`.replace(/^api /, 'API ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Who acted, as a link to all that the person or the key has done. */
function Actor({ actor }: { actor: AuditEntry['actor'] }) {
  const name = nameOf(actor);
  if (actor.id === null) return <Cut text={name} />;
  return (
    <Cut text={name}>
      <Link to={pathWith('/audit-log', { actor: actor.id })}>{name}</Link>
    </Cut>
  );
}

function nameOf({ type, id, name }: AuditEntry['actor']): string {
  switch (type) {
    case 'system':
      return 'Tidemark';
    case 'command_line':
      return 'the command line';
    case 'signal':
      return 'a signal by hand';
    case 'portal_session':
      return 'the payer, by the link';
    case 'key':
      return `the key ${name ?? id}`;
    case 'user':
      return name ?? 'a person';
  }
}

/** The reason, and what changed, each member in a line. */
function Changed({ entry: { before, after, reason } }: { entry: AuditEntry }) {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return (
    <>
      {reason !== null && <q>{reason}</q>}
      {before !== null &&
        after !== null &&
        names.map((name) => (
          <div key={name} class="change">
            {words(name)}: {textOf(before[name])} → {textOf(after[name])}
          </div>
        ))}
    </>
  );
}

/** A time as the API writes it. */
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

function textOf(value: unknown): string {
  if (value === null || value === undefined) return 'none';
  if (value === '[personal]') return 'not kept';
  if (typeof value !== 'string') return JSON.stringify(value);
  return INSTANT.test(value) ? `${utcTime(value)} UTC` : value;
}
