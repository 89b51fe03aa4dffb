import type { ComponentChildren } from 'preact';
import { CopyButton } from './copy.tsx';

const LONGEST = 16;

type ShortIdProps = {
  id: string;
  /** Names the id for screen readers, such as "the customer's id". */
  what: string;
  /** Renders the shortened id in another way, for example as a link. */
  show?: (short: string) => ComponentChildren;
};

/** A shortened id for a list, with the full id as tooltip and a button that copies it. */
export function ShortId({ id, what, show = (short) => short }: ShortIdProps) {
  return (
    <span class="short-id">
      <code class="id" title={id}>
        {show(shortened(id))}
      </code>
      <CopyButton text={id} what={what} />
    </span>
  );
}

/** Shortens an id to its start and end: ids made at about the same time have the same start. */
export function shortened(id: string): string {
  const letters = [...id];
  if (letters.length <= LONGEST) return id;
  return `${letters.slice(0, 7).join('')}…${letters.slice(-6).join('')}`;
}
