import { change, type Plant } from './plant.ts';

/** Faults of the counts of events by cause. */
export const BILLING_DAY_PLANTS: readonly Plant[] = [
  {
    invariant: 'I43',
    what: 'a customer whose events have another cause',
    plant: (db, { customer }) =>
      change(
        db,
        customer.key,
        `update billing_days set cause = 'trial' where customer_key = $1 and cause = 'billed'`,
        `delete from report_days`,
        `insert into report_days select environment_id, event_name, day, cause, sum(events) from billing_days
         group by 1, 2, 3, 4`,
      ),
  },
  {
    invariant: 'I43',
    what: 'a sum that leaves out the events of a day',
    plant: (db) => change(db, 'api_call', `delete from report_days where event_name = $1`),
  },
];
