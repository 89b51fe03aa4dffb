import type { ComponentChildren } from 'preact';
import { LocationProvider, Route, Router, useLocation } from 'preact-iso/router';
import type { DashboardPath } from '../../src/objects/dashboard-paths.ts';
import { Waiting } from './components/loading.tsx';
import { FaultNotice } from './components/notice.tsx';
import { AuditLogPage } from './pages/audit-log/audit-log.tsx';
import { BankFilePage } from './pages/bank-file/bank-file.tsx';
import { ChangesPage } from './pages/changes/changes.tsx';
import { CreditNotePage } from './pages/credit-notes/credit-note.tsx';
import { CreditNotesPage } from './pages/credit-notes/credit-notes.tsx';
import { NewCreditNotePage } from './pages/credit-notes/new-credit-note.tsx';
import { CustomerPage } from './pages/customers/customer.tsx';
import { CustomersPage } from './pages/customers/customers.tsx';
import { EmailPage } from './pages/emails/email.tsx';
import { CollectionsPage } from './pages/collections/collections.tsx';
import { EmailsPage } from './pages/emails/emails.tsx';
import { EventPage } from './pages/events/event.tsx';
import { EventsPage } from './pages/events/events.tsx';
import { UsageReportPage } from './pages/events/usage-report.tsx';
import { HomePage } from './pages/home/home.tsx';
import { InvoicePage } from './pages/invoices/invoice.tsx';
import { InvoicesPage } from './pages/invoices/invoices.tsx';
import { MonthEndPage } from './pages/month-end/month-end.tsx';
import { NotFoundPage } from './pages/not-found.tsx';
import { RegeneratePage } from './pages/invoices/regenerate.tsx';
import { RevenuePage } from './pages/revenue/revenue.tsx';
import { AccountPage } from './pages/settings/settings-account.tsx';
import { PaymentSettingsPage } from './pages/settings/settings-payments.tsx';
import { EmailSettingsPage } from './pages/settings/settings-email.tsx';
import { KeysPage } from './pages/settings/settings-keys.tsx';
import { SessionsPage } from './pages/settings/settings-sessions.tsx';
import { UsersPage } from './pages/settings/settings-users.tsx';
import { OwedPage } from './pages/owed/owed.tsx';
import { PaymentsPage } from './pages/payments/payments.tsx';
import { PlanMigrationPage } from './pages/plan-migrations/plan-migration.tsx';
import { PlanMigrationsPage } from './pages/plan-migrations/plan-migrations.tsx';
import { CustomPlanPage } from './pages/plans/custom-plan.tsx';
import { NewPlanPage } from './pages/plans/new-plan.tsx';
import { PlanPage } from './pages/plans/plan.tsx';
import { PlansPage } from './pages/plans/plans.tsx';
import { PortalPage } from './pages/portal/portal.tsx';
import { ChangePlanPage } from './pages/subscriptions/change-plan.tsx';
import { SubscriptionPage } from './pages/subscriptions/subscription.tsx';
import { SubscriptionsPage } from './pages/subscriptions/subscriptions.tsx';
import { SearchPage } from './pages/search/search.tsx';
import { SearchBox } from './pages/search/search-box.tsx';
import { WebhookDeliveryPage } from './pages/webhooks/webhook-delivery.tsx';
import { WebhookPage } from './pages/webhooks/webhook.tsx';
import { WebhooksPage } from './pages/webhooks/webhooks.tsx';
import { SignInPage } from './pages/sign-in/sign-in.tsx';
import { useEnvironmentInAddress } from './shell/environment.tsx';
import { SessionProvider, useMay, useSession } from './shell/session.tsx';
import { Shell } from './shell/shell.tsx';

/**
 * Excludes paths of this origin that are not pages of the dashboard: links to them are ordinary navigations of the
 * browser.
 */
const PAGES_ONLY = /^\/(?!docs|dashboard\/|openapi\.json|v1\/|metrics|readyz|healthz)/;

/** The dashboard, and the page of portal links. */
export function App() {
  return (
    <LocationProvider scope={PAGES_ONLY}>
      <Visit />
    </LocationProvider>
  );
}

/** A payer needs no session and a person of the account no portal link: their pages share nothing but parts. */
function Visit() {
  const { path } = useLocation();
  if (path === '/portal') return <PortalPage />;
  return (
    <SessionProvider>
      <Gate />
    </SessionProvider>
  );
}

/**
 * Shows the sign-in page instead of any page while nobody is signed in. The address stays, so that the page shows after
 * the sign-in.
 */
function Gate() {
  const { signed_in, ask } = useSession();
  const { path } = useLocation();
  useEnvironmentInAddress();
  if (path === '/sign-in') return <SignInPage />;
  switch (signed_in.state) {
    case 'asking':
      return <Waiting />;
    case 'signed_out':
      return <SignInPage />;
    case 'failed':
      return <FaultNotice fault={signed_in.fault} retry={ask} />;
    case 'signed_in':
      return (
        <Shell search={<SearchBox />}>
          <Pages />
        </Shell>
      );
  }
}

/** The first page of the settings that the person may open. */
function SettingsPage() {
  return useMay('listKeys') ? <KeysPage /> : <AccountPage />;
}

/** Each page by its path; that of the sign-in needs no session. */
const PAGES: Readonly<Record<Exclude<DashboardPath, '/sign-in'>, () => ComponentChildren>> = {
  '/': HomePage,
  '/events': EventsPage,
  '/events/:id': EventPage,
  '/usage-report': UsageReportPage,
  '/subscriptions': SubscriptionsPage,
  '/subscriptions/:id': SubscriptionPage,
  '/subscriptions/:id/change': ChangePlanPage,
  '/customers': CustomersPage,
  '/customers/:id': CustomerPage,
  '/invoices': InvoicesPage,
  '/invoices/:id': InvoicePage,
  '/invoices/:id/regenerate': RegeneratePage,
  '/invoices/:id/credit': NewCreditNotePage,
  '/credit-notes': CreditNotesPage,
  '/month-end': MonthEndPage,
  '/revenue': RevenuePage,
  '/credit-notes/:id': CreditNotePage,
  '/payments': PaymentsPage,
  '/owed': OwedPage,
  '/payments/bank-file': BankFilePage,
  '/collections': CollectionsPage,
  '/emails': EmailsPage,
  '/emails/:id': EmailPage,
  '/search': SearchPage,
  '/settings': SettingsPage,
  '/settings/keys': KeysPage,
  '/settings/account': AccountPage,
  '/settings/email': EmailSettingsPage,
  '/settings/payments': PaymentSettingsPage,
  '/settings/users': UsersPage,
  '/settings/sessions': SessionsPage,
  '/settings/webhooks': WebhooksPage,
  '/settings/webhooks/:id': WebhookPage,
  '/settings/webhooks/:id/deliveries/:delivery_id': WebhookDeliveryPage,
  '/changes': ChangesPage,
  '/audit-log': AuditLogPage,
  '/plans': PlansPage,
  '/plans/new': NewPlanPage,
  '/plans/custom': CustomPlanPage,
  '/plans/:id': PlanPage,
  '/plan-migrations': PlanMigrationsPage,
  '/plan-migrations/:id': PlanMigrationPage,
};

function Pages() {
  return (
    <Router>
      {Object.entries(PAGES).map(([path, component]) => (
        <Route key={path} path={path} component={component} />
      ))}
      <Route default component={NotFoundPage} />
    </Router>
  );
}
