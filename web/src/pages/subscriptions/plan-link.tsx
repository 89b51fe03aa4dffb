import type { Plan } from '../../api/objects.ts';
import { useLoad } from '../../api/use-load.ts';
import { Link } from '../../shell/environment.tsx';
import { nameWithVersion } from '../plans/models.ts';

/** A link to a plan by its name; by its id until that is loaded. */
export function PlanLink({ id }: { id: string }) {
  const plan = useLoad<Plan>(`/v1/pricing-plans/${id}`).value;
  return <Link to={`/plans/${id}`}>{plan === null ? id : nameWithVersion(plan)}</Link>;
}
