import type { Db } from '../connection/pool.ts';

/**
 * Takes addresses, answers, subjects and texts from the emails of a customer, by its `cus_` id, and cancels those that
 * wait: what was to go to the person goes nowhere. When and whether each was sent stays.
 */
export async function eraseEmails(db: Db, environment_id: number, customer_id: string): Promise<void> {
  await db.query(
    `update emails e set subject = null, text = null,
       chosen_to = case when e.chosen_to is not null then '[]'::jsonb end,
       "to" = (select jsonb_agg(r.value || '{"address": null, "response": null}' order by r.place)
         from jsonb_array_elements(e."to") with ordinality as r(value, place)),
       status = case e.status when 'queued' then 'canceled' else e.status end,
       status_reason = case when e.status = 'queued' then 'erased'
         when e.status in ('kept', 'canceled') then e.status_reason end,
       next_attempt_at = null
     where e.environment_id = $1 and e.customer_id = $2`,
    [environment_id, customer_id],
  );
}
