import { change, type Plant } from './plant.ts';

const WITHOUT_ENTRY = [
  'alter table audit_log disable trigger never_changed',
  'delete from audit_log where object_id = $1',
  'alter table audit_log enable always trigger never_changed',
];

/** Acts whose entry somebody took away. */
export const AUDIT_PLANTS: readonly Plant[] = [
  {
    invariant: 'I52',
    what: 'an issued invoice without an entry in the audit log',
    plant: (db, { issued }) =>
      change(
        db,
        issued.id,
        ...WITHOUT_ENTRY,
        `update invoices set hold_until = hold_until + interval '1 second' where id = $1`,
      ),
  },
  {
    invariant: 'I52',
    what: 'a credit grant without an entry in the audit log',
    plant: async (db, { issued }) => {
      const { rows } = await db.query<{ id: string }>(
        `select g.id from credit_grants g join invoices i on i.customer_id = g.customer_id where i.id = $1 limit 1`,
        [issued.id],
      );
      return change(
        db,
        rows[0]!.id,
        ...WITHOUT_ENTRY,
        `update credit_grants set note = 'changed' where id = $1`,
      );
    },
  },
];
