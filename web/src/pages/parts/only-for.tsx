import type { ComponentChildren } from 'preact';
import { whomToAsk } from '../../api/use-refusal.ts';
import { Empty } from '../../components/notice.tsx';
import { useDashboard, useMay } from '../../shell/session.tsx';

/** Shows what a page does to those who may do it, and to others whom to ask. */
export function OnlyFor({ use, children }: { use: string; children: ComponentChildren }) {
  const dashboard = useDashboard();
  if (useMay(use)) return <>{children}</>;
  return (
    <Empty title={`Your role is ${dashboard.user.role}, and does not allow this`}>
      <p>{whomToAsk(dashboard)}</p>
    </Empty>
  );
}
