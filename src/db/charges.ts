import type { Charge } from '../domain/charge.ts';
import type { Db } from './pool.ts';

/** The charges of a plan, in plan order. A plan's charges never change. */
export async function chargesOf(db: Db, environment_id: number, plan_id: string): Promise<Charge[]> {
  const { rows } = await db.query<Charge>(
    `select id, event_name, name, unit_name, aggregation, filters, pricing, group_by from charges
     where environment_id = $1 and plan_id = $2 order by position`,
    [environment_id, plan_id],
  );
  return rows;
}
