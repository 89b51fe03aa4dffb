import type { ComponentChildren } from 'preact';
import { Empty } from '../../components/notice.tsx';
import { useDashboard, useMay } from '../../shell/session.tsx';

/** Shows what a page does to those who may do it, and to others whom to ask. */
export function OnlyFor({ use, children }: { use: string; children: ComponentChildren }) {
  const { user, admins } = useDashboard();
  if (useMay(use)) return <>{children}</>;
  return (
    <Empty title={`Your role is ${user.role}, and does not allow this`}>
      {admins.length > 0 && <p>Ask an admin: {admins.join(', ')}.</p>}
    </Empty>
  );
}
