import { useDashboard } from '../../shell/session.tsx';

/** The beginning of a reason that goes on with what the database says (activities/impossible.ts). */
const CALL = 'Call the people who run Tidemark.';

/** Returns a function that shortens a reason to what its reader can do: what the database says is for admins. */
export function useReason(): (reason: string) => string {
  const is_admin = useDashboard().user.role === 'admin';
  return (reason) => (is_admin || !reason.startsWith(CALL) ? reason : `${CALL} Their log has the reason.`);
}
