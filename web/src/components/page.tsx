import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';

type PageProps = {
  title: string;
  /** What can be done to the whole page, beside its title. */
  actions?: ComponentChildren;
  children: ComponentChildren;
};

/** A page: its heading, also as the title of the window, and what it holds. */
export function Page({ title, actions, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Tidemark`;
  }, [title]);
  return (
    <>
      <header class="page-head">
        <h1 tabIndex={-1}>{title}</h1>
        {actions !== undefined && <div class="page-actions">{actions}</div>}
      </header>
      {children}
    </>
  );
}

/** A part of a page under a heading of its own. */
export function Section({ title, actions, children }: PageProps) {
  return (
    <section class="section">
      <header class="section-head">
        <h2>{title}</h2>
        {actions !== undefined && <div class="page-actions">{actions}</div>}
      </header>
      {children}
    </section>
  );
}
