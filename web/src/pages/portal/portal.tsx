import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
import { createClient } from '../../api/client.ts';
import type { Customer, List, Plan, PortalSession, Subscription } from '../../api/objects.ts';
import { everyPage } from '../../api/every-page.ts';
import { useEach } from '../../api/use-each.ts';
import { useLoad } from '../../api/use-load.ts';
import { QuestionButton } from '../../components/action-button.tsx';
import { DownloadButton } from '../../components/download-button.tsx';
import { Loading } from '../../components/loading.tsx';
import { Logo } from '../../components/logo.tsx';
import { WithoutPages } from '../../shell/environment.tsx';
import { SessionContext, useSession } from '../../shell/session.tsx';
import { isLive } from '../customers/customer-subscriptions.tsx';
import { CustomerUsage } from '../customers/customer-usage.tsx';
import { CreditNotes } from './credit-notes.tsx';
import { Credit } from './credit.tsx';
import { InvoiceOfLink, Invoices } from './invoices.tsx';
import { Methods } from './methods.tsx';
import { NextInvoices } from './next-invoices.tsx';
import { Owed } from './owed.tsx';
import { usePaperWords, type Plans } from './paper-words.ts';
import { MayPay, Returned } from './pay.tsx';
import { Payments } from './payments.tsx';
import { PlansAndPrices } from './plans.tsx';
import { sessionOfAddress } from './provider-page.ts';
import { forgetToken, keptToken, takeToken } from './token.ts';

/**
 * The page of a portal link: what a payer reads of its own bills, without the dashboard around it and without a
 * session.
 */
export function PortalPage() {
  const [token, setToken] = useState(() => takeToken() ?? keptToken());
  const [is_over, setOver] = useState(false);
  const leave = useCallback(() => {
    forgetToken();
    setOver(true);
  }, []);
  // The site around a frame may put a new link into it without loading the page.
  useEffect(() => {
    const arrive = () => {
      const new_token = takeToken();
      if (new_token === null) return;
      setToken(new_token);
      setOver(false);
    };
    addEventListener('hashchange', arrive);
    return () => removeEventListener('hashchange', arrive);
  }, []);
  const session = useMemo(() => {
    const client = createClient({ Authorization: `Bearer ${token ?? ''}` }, leave);
    const signOut = async () => {
      await client.post('/v1/portal-sessions/self/revoke');
      leave();
    };
    return { client, signed_in: { state: 'signed_out' } as const, ask: () => undefined, signOut };
  }, [token, leave]);
  useEffect(() => {
    document.title = 'Your bills';
  }, []);
  if (token === null || is_over) return <NoLink was_good={is_over} />;
  return (
    <SessionContext.Provider value={session}>
      <WithoutPages.Provider value={true}>
        <Portal key={token} />
      </WithoutPages.Provider>
    </SessionContext.Provider>
  );
}

function NoLink({ was_good }: { was_good: boolean }) {
  if (!was_good && sessionOfAddress() !== null) return <NoLinkAfterPayment />;
  return (
    <main class="sign-in">
      <h1>{was_good ? 'This link is over' : 'This page needs a link'}</h1>
      <p>
        {was_good
          ? 'It has ended, or has been revoked. Open your bills again where you got the link, or ask for a new one.'
          : 'Open it by the link that you got for your bills. A link is good for a short time, and in one tab.'}
      </p>
    </main>
  );
}

/** The page of a payer who comes back from the payment provider without a portal link. */
function NoLinkAfterPayment() {
  return (
    <main class="sign-in">
      <h1>Back from the payment</h1>
      <p>If you have paid, the seller knows it. You can close this page.</p>
    </main>
  );
}

function Portal() {
  const loaded = useLoad<Customer>('/v1/customers/self');
  const { value: customer } = loaded;
  return (
    <div class="shell shell-test portal">
      {customer !== null && !customer.livemode && (
        <p class="band">
          <span>
            <strong>Test data</strong> <span class="band-words">nothing here is to be paid.</span>
          </span>
        </p>
      )}
      <main>
        <Loading loaded={loaded}>
          {(loaded_customer) => (
            <Returned>
              <Bills customer={loaded_customer} />
            </Returned>
          )}
        </Loading>
      </main>
    </div>
  );
}

function Bills({ customer }: { customer: Customer }) {
  const subscriptions = useLoad<List<Subscription>>('/v1/subscriptions', everyPage);
  const link = useLoad<PortalSession>('/v1/portal-sessions/self').value;
  const plans = useEach<Plan>('/v1/pricing-plans', (subscriptions.value?.data ?? []).flatMap(planIdsOf));
  return (
    <MayPay.Provider value={link?.saves_payment_methods ?? false}>
      {link !== null && <Logo of={link} />}
      <header class="page-head">
        <h1 tabIndex={-1}>Bills of {customer.name ?? customer.external_id}</h1>
        <span class="buttons">
          <DownloadButton label="Statement (PDF)" path="/v1/customers/self/statement.pdf" />
          <button type="button" onClick={() => print()}>
            Print
          </button>
          <EndButton />
        </span>
      </header>
      <Owed customer={customer} />
      <InvoiceOfLink />
      <Loading loaded={subscriptions}>
        {({ data }) => (
          <Sections
            customer={customer}
            subscriptions={data}
            plans={plans}
            saves_methods={link?.saves_payment_methods ?? false}
          />
        )}
      </Loading>
    </MayPay.Provider>
  );
}

type SectionsProps = {
  customer: Customer;
  subscriptions: readonly Subscription[];
  plans: Plans;
  /** Whether there is a provider where the payer saves a payment method. */
  saves_methods: boolean;
};

/** The sections below what is due, whose days are of the payer's time zone. */
function Sections({ customer, subscriptions, plans, saves_methods }: SectionsProps) {
  // A customer without a zone of its own has that of the account, which its subscriptions keep.
  const timezone = customer.timezone ?? subscriptions[0]?.timezone ?? 'UTC';
  const going_on = subscriptions.filter(isToBeBilled);
  return (
    <>
      <Invoices customer={customer} timezone={timezone} />
      {saves_methods && <Methods />}
      <Payments timezone={timezone} />
      <CreditNotes />
      <NextInvoices subscriptions={going_on} plans={plans} />
      <PlansAndPrices subscriptions={going_on} plans={plans} amount={customer.balance} />
      <CustomerUsage
        customer={customer}
        subscriptions={subscriptions.filter(isLive)}
        timezone={timezone}
        useWords={usePaperWords}
      />
      <Credit customer={customer} timezone={timezone} plans={plans} />
    </>
  );
}

/** The plans that a subscription has and will have. */
function planIdsOf({ plan_id, pending_change }: Subscription): string[] {
  return pending_change === null ? [plan_id] : [plan_id, pending_change.plan_id];
}

/** Ends the link before its time, as on a machine that others use. */
function EndButton() {
  const { signOut } = useSession();
  return (
    <QuestionButton label="End this link" question="End this link?" kind="plain" perform={signOut}>
      <p>
        Nobody can open these bills by it any more, here or in another tab. For another look, ask for a new
        link.
      </p>
    </QuestionButton>
  );
}

function isToBeBilled({ status }: Subscription): boolean {
  return status !== 'canceled';
}
