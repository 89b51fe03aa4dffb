import type { Db } from '../connection/pool.ts';

/** LATE_USAGE_DAYS by which the stored counts tell late events from those that are too late. */
export async function readLateUsageDays(db: Db): Promise<number> {
  const { rows } = await db.query<{ late_usage_days: number }>('select late_usage_days from report_settings');
  return rows[0]!.late_usage_days;
}

/**
 * Applies another LATE_USAGE_DAYS. Late events, and those that are too late, are counted again: the log gets a row for
 * each customer.
 */
export async function changeLateUsageDays(db: Db, late_usage_days: number): Promise<void> {
  await db.query(
    `with changed as (
       update report_settings set late_usage_days = $1 where late_usage_days <> $1 returning true
     )
     insert into row_changes (table_name, environment_id, after)
     select 'billing_days', environment_id, jsonb_build_object('customer_key', customer_key, 'days_from', min(day),
       'days_to', max(day) + interval '24 hours')
     from billing_days where cause in ('late', 'too_late') and exists (select from changed)
     group by environment_id, customer_key`,
    [late_usage_days],
  );
}
