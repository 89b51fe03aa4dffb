import type { ComponentChildren } from 'preact';
import type { Fault } from '../api/fault.ts';
import type { Loaded } from '../api/use-load.ts';
import { Elsewhere } from './elsewhere.tsx';
import { FaultNotice } from './notice.tsx';

type LoadingProps<Result> = { of: Loaded<Result>; children: (value: Result) => ComponentChildren };

/** What was loaded, or that it is being loaded, or why it could not be. An answer stays in sight while the next is fetched. */
export function Loading<Result>({
  of: { value, fault, is_loading, reload },
  children,
}: LoadingProps<Result>) {
  if (value === null)
    return fault === null || is_loading ? <Waiting /> : <Failed fault={fault} retry={reload} />;
  return (
    <div class="loaded" aria-busy={is_loading}>
      {fault !== null && <FaultNotice fault={fault} retry={reload} />}
      {children(value)}
    </div>
  );
}

/** What is not there is not tried again, but it may be elsewhere. */
function Failed({ fault, retry }: { fault: Fault; retry: () => void }) {
  if (fault.status !== 404) return <FaultNotice fault={fault} retry={retry} />;
  return (
    <div class="stack">
      <FaultNotice fault={fault} />
      <Elsewhere />
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
