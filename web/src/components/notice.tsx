import type { ComponentChildren } from 'preact';
import type { Fault } from '../api/fault.ts';
import { Code } from './values.tsx';

/** What went wrong, with the id that finds the request in the log, and a way to try again. */
export function FaultNotice({ fault, retry }: { fault: Fault; retry?: () => void }) {
  return (
    <div class="notice notice-fault" role="alert">
      <p>
        <strong>{fault.message}</strong>
      </p>
      <FaultDetails fault={fault} />
      <RequestId of={fault} />
      {retry !== undefined && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}

/** What is wrong beside the message: a fault with one detail says the same in its message. */
function FaultDetails({ fault: { details, message } }: { fault: Fault }) {
  const others = details.filter((detail) => detail.message !== message);
  if (others.length === 0) return null;
  return (
    <ul>
      {others.map((detail) => (
        <li key={detail.message}>{detail.message}</li>
      ))}
    </ul>
  );
}

export function RequestId({ of: { request_id } }: { of: Fault }) {
  if (request_id === null) return null;
  return (
    <p class="faint">
      Request <Code>{request_id}</Code>
    </p>
  );
}

/** What stands where there is nothing yet: it says what to do. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p>
        <strong>{title}</strong>
      </p>
      {children}
    </div>
  );
}

export function Notice({
  kind,
  children,
}: {
  kind: 'good' | 'attention' | 'fault';
  children: ComponentChildren;
}) {
  return (
    <div class={`notice notice-${kind}`} role="status">
      {children}
    </div>
  );
}
