import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

type DisclosureProps = {
  summary: ComponentChildren;
  /** A link to #id opens this section and scrolls to it. */
  id?: string;
  is_open_at_first?: boolean;
  children: ComponentChildren;
};

/** A section that opens on demand. Its content is rendered and loaded when it is first opened. */
export function Disclosure({ summary, id, is_open_at_first = false, children }: DisclosureProps) {
  const details = useRef<HTMLDetailsElement>(null);
  const [is_target] = useState(() => id !== undefined && location.hash === `#${id}`);
  const [was_opened, setOpened] = useState(is_open_at_first || is_target);
  useEffect(() => {
    // The browser looked for the target before it existed: scroll now.
    if (is_target) details.current?.scrollIntoView();
  }, [is_target]);
  return (
    <details
      ref={details}
      id={id}
      open={is_open_at_first || is_target}
      onToggle={({ currentTarget }) => currentTarget.open && setOpened(true)}
    >
      <summary>{summary}</summary>
      {was_opened && <div class="disclosed">{children}</div>}
    </details>
  );
}
