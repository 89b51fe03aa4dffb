import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

type DisclosureProps = {
  summary: ComponentChildren;
  /** What a link with a # leads to. */
  id?: string;
  is_open_at_first?: boolean;
  children: ComponentChildren;
};

/** What is shown on demand: until it is opened once, its content is not made, and loads nothing. */
export function Disclosure({ summary, id, is_open_at_first = false, children }: DisclosureProps) {
  const [was_opened, setOpened] = useState(is_open_at_first);
  return (
    <details
      id={id}
      open={is_open_at_first}
      onToggle={({ currentTarget }) => currentTarget.open && setOpened(true)}
    >
      <summary>{summary}</summary>
      {was_opened && <div class="disclosed">{children}</div>}
    </details>
  );
}
