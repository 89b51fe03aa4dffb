import type { ComponentChildren } from 'preact';
import { CopyButton } from './copy.tsx';

/** The beginning and the end of a text that is longer than `length`. */
export function shortened(text: string, length = 18): string {
  const characters = [...text];
  if (characters.length <= length) return text;
  const kept = Math.floor((length - 1) / 2);
  return `${characters.slice(0, length - 1 - kept).join('')}…${characters.slice(-kept).join('')}`;
}

type ShortProps = {
  text: string;
  /** Names the text to who hears the button that copies it. */
  what: string;
  /** Shows the shortened text, as a link for one. */
  children?: (short: string) => ComponentChildren;
};

/** An id in a list: short, with the whole of it in the title and on a button that copies it. */
export function Short({ text, what, children = (short) => <code>{short}</code> }: ShortProps) {
  const short = shortened(text);
  return (
    <span class="short" title={text}>
      {children(short)}
      {short !== text && <CopyButton text={text} what={what} />}
    </span>
  );
}
