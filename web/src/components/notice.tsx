import type { ComponentChildren } from 'preact';
import { isNotPermitted, type Fault } from '../api/fault.ts';
import { sentenceOf, useRefusalSentence } from '../api/use-refusal.ts';
import { Code } from './values.tsx';

/** The least status of a request that failed, and was not refused. */
const FAILED = 500;

type FaultNoticeProps = { fault: Fault; retry?: () => void; children?: ComponentChildren };

/** A fault with advice as children, and with a button to retry. */
export function FaultNotice({ fault, retry, children }: FaultNoticeProps) {
  const sentence = useRefusalSentence(fault);
  return (
    <div class="notice notice-fault" role="alert">
      <p>
        <strong>{sentence}</strong>
      </p>
      <FaultDetails fault={fault} />
      {children}
      <RequestId fault={fault} />
      {retry !== undefined && !isNotPermitted(fault) && (
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
        <li key={detail.message}>{sentenceOf(detail.message)}</li>
      ))}
    </ul>
  );
}

/**
 * The id by which operators find a request that failed in the log. A refusal has none: its sentence says what to do.
 */
export function RequestId({ fault: { request_id, status } }: { fault: Fault }) {
  if (request_id === null || status < FAILED) return null;
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
