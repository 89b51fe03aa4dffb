import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';

type PageProps = {
  title: string;
  /** Buttons for the whole page, beside its title. */
  actions?: ComponentChildren;
  children: ComponentChildren;
};

/** A page with its heading, which is also the window's title. */
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

/** A section of a page under its own heading. */
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
