import type { ComponentChildren } from 'preact';
import type { Fault } from '../api/fault.ts';
import type { Loaded } from '../api/use-load.ts';
import { FaultNotice } from './notice.tsx';

type LoadingProps<Result> = { loaded: Loaded<Result>; children: (value: Result) => ComponentChildren };

/**
 * Renders a loaded value, or that it is loading, or the fault. The previous value stays visible while the next one
 * loads.
 */
export function Loading<Result>({
  loaded: { value, fault, is_loading, reload },
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

/** A 404 gets no retry button, but a link to the other environment, where the object may be. */
function Failed({ fault, retry }: { fault: Fault; retry: () => void }) {
  if (fault.status !== 404) return <FaultNotice fault={fault} retry={retry} />;
  return (
    <div class="stack">
      <FaultNotice fault={fault} />
      <OtherEnvironmentLink />
    </div>
  );
}

/** Links to the same address in the other environment, for an object that was not found. */
function OtherEnvironmentLink() {
  const { pathname, searchParams } = new URL(location.href);
  const other = searchParams.get('mode') === 'live' ? 'test' : 'live';
  return (
    <p>
      It does not exist in the {other === 'live' ? 'test' : 'live'} data.{' '}
      <a href={`${pathname}?mode=${other}`}>Look in the {other} data</a>
    </p>
  );
}

/** Says that something is loading. */
export function Waiting() {
  return (
    <p class="waiting" role="status">
      Loading …
    </p>
  );
}
