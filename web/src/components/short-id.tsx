import type { ComponentChildren } from 'preact';
import { CopyButton } from './copy.tsx';

const LONGEST = 16;

type ShortIdProps = {
  id: string;
  /** Names the id to who cannot see its place, as in "the customer's id". */
  what: string;
  /** Shows the shortened id otherwise, as in a link. */
  show?: (short: string) => ComponentChildren;
};

/** A long id in a list: its beginning and its end, the whole of it in a title, and a button that copies it. */
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

/** What is too long for a column, by its beginning and its end: ids of one minute begin alike. */
export function shortened(id: string): string {
  const letters = [...id];
  if (letters.length <= LONGEST) return id;
  return `${letters.slice(0, 7).join('')}…${letters.slice(-6).join('')}`;
}
