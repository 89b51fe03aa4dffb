import type { ComponentChildren } from 'preact';
import type { Loaded } from '../api/use-load.ts';
import { FaultNotice } from './notice.tsx';

type LoadingProps<Answer> = { of: Loaded<Answer>; children: (value: Answer) => ComponentChildren };

/** What was loaded, or that it is being loaded, or why it could not be. An answer stays in sight while the next is fetched. */
export function Loading<Answer>({
  of: { value, fault, is_loading, reload },
  children,
}: LoadingProps<Answer>) {
  if (value === null)
    return fault === null || is_loading ? <Waiting /> : <FaultNotice fault={fault} retry={reload} />;
  return (
    <div class="loaded" aria-busy={is_loading}>
      {fault !== null && <FaultNotice fault={fault} retry={reload} />}
      {children(value)}
    </div>
  );
}

export function Waiting() {
  return (
    <p class="waiting" role="status">
      Loading …
    </p>
  );
}
