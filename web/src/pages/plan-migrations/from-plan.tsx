import { Cut } from '../../components/values.tsx';
import { Link } from '../../shell/environment.tsx';
import { PlanLink } from '../parts/links.tsx';

/** The plan whose subscribers move, or all versions of a key, which never begins like an id. */
export function FromPlan({ name }: { name: string }) {
  if (name.startsWith('plan_')) return <PlanLink id={name} />;
  return (
    <Link to={`/plans?key=${encodeURIComponent(name)}`}>
      <Cut text={`all versions of ${name}`} />
    </Link>
  );
}
