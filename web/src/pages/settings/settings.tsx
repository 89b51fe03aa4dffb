import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso/router';
import { Page } from '../../components/page.tsx';
import { Link } from '../../shell/environment.tsx';

const PARTS = [
  { path: '/settings/keys', name: 'API keys' },
  { path: '/settings/account', name: 'Account' },
  { path: '/settings/webhooks', name: 'Webhooks' },
  { path: '/settings/sessions', name: 'Sessions' },
];

type SettingsProps = { title: string; actions?: ComponentChildren; children: ComponentChildren };

/** A page of the settings, with tabs for the others. */
export function Settings({ title, actions, children }: SettingsProps) {
  const { path } = useLocation();
  const here = path === '/settings' ? '/settings/keys' : path.split('/').slice(0, 3).join('/');
  return (
    <>
      <nav class="tabs" aria-label="Settings">
        {PARTS.map((part) => (
          <Link key={part.path} to={part.path} is_here={part.path === here}>
            {part.name}
          </Link>
        ))}
      </nav>
      <Page title={title} actions={actions}>
        {children}
      </Page>
    </>
  );
}
