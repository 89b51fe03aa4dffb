import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso/router';
import { Page } from '../../components/page.tsx';
import { Link } from '../../shell/environment.tsx';
import { useDashboard } from '../../shell/session.tsx';

/** Tabs of the settings, and the operation that a person needs for each. */
const PARTS = [
  { path: '/settings/keys', name: 'API keys', needs: 'listKeys' },
  { path: '/settings/account', name: 'Account', needs: 'getAccount' },
  { path: '/settings/email', name: 'Email', needs: 'getEmailText' },
  { path: '/settings/payments', name: 'Payments', needs: 'listPaymentProviders' },
  { path: '/settings/webhooks', name: 'Webhooks', needs: 'listWebhookEndpoints' },
  { path: '/settings/users', name: 'Users', needs: 'listUsers' },
  { path: '/settings/sessions', name: 'Sessions', needs: 'listSessions' },
];

type SettingsProps = { title: string; actions?: ComponentChildren; children: ComponentChildren };

/** A page of the settings, with tabs for the others. */
export function Settings({ title, actions, children }: SettingsProps) {
  const { path } = useLocation();
  const { may } = useDashboard();
  const parts = PARTS.filter(({ needs }) => may.includes(needs));
  const here = path === '/settings' ? parts[0]!.path : path.split('/').slice(0, 3).join('/');
  return (
    <>
      <nav class="tabs" aria-label="Settings">
        {parts.map((part) => (
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
