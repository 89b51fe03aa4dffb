import type { ComponentChildren } from 'preact';
import type { Fault } from '../api/fault.ts';
import { Code } from './values.tsx';

type FaultNoticeProps = { fault: Fault; retry?: () => void; children?: ComponentChildren };

/**
 * A fault with advice as children, with the request id, which finds the request in the log, and with a button to retry.
 */
export function FaultNotice({ fault, retry, children }: FaultNoticeProps) {
  return (
    <div class="notice notice-fault" role="alert">
      <p>
        <strong>{fault.message}</strong>
      </p>
      <FaultDetails fault={fault} />
      {children}
      <RequestId fault={fault} />
      {retry !== undefined && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}

/** Details that the message does not contain: with a single detail, the message already says it. */
function FaultDetails({ fault: { details, message } }: { fault: Fault }) {
  const other_details = details.filter((detail) => detail.message !== message);
  if (other_details.length === 0) return null;
  return (
    <ul>
      {other_details.map((detail) => (
        <li key={detail.message}>{detail.message}</li>
      ))}
    </ul>
  );
}

/** The id that finds the request in the log; nothing if there is none. */
export function RequestId({ fault: { request_id } }: { fault: Fault }) {
  if (request_id === null) return null;
  return (
    <p class="faint">
      Request <Code>{request_id}</Code>
    </p>
  );
}

/** Replaces an empty list; says what to do. */
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

/** A message in a box. */
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
