import { useLocation } from 'preact-iso/router';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { asFault, type Fault } from '../../api/fault.ts';
import { Commands } from '../../components/copy.tsx';
import { Waiting } from '../../components/loading.tsx';
import { FaultNotice } from '../../components/notice.tsx';
import { useClient, useSession } from '../../shell/session.tsx';
import { keepWantedPage, takeWantedPage } from '../../shell/wanted-page.ts';

/** Page for visitors without a session, and target of the one-time link, which has its token in the fragment. */
export function SignInPage() {
  const [token, forget] = useTokenOfAddress();
  const [fault, setFault] = useState<Fault | null>(null);
  const client = useClient();
  const { signed_in, ask } = useSession();
  const { path, route } = useLocation();
  const is_needless = token === null && fault === null && signed_in.state === 'signed_in';
  useEffect(() => void (document.title = 'Sign in · Tidemark'), []);
  useEffect(() => {
    if (is_needless) route(takeWantedPage(), true);
  }, [is_needless, route]);
  // Nothing here may change with the address, or the token would be sent twice, and it works once.
  useEffect(() => {
    if (token === null) return;
    client
      .post('/dashboard/api/session', { token })
      .then(() => {
        ask();
      })
      .catch((error: unknown) => setFault(asFault(error)))
      .finally(forget);
  }, [token, client, ask, forget]);
  useEffect(() => {
    if (path !== '/sign-in') keepWantedPage();
    // The link may have been opened in another tab: ask again when this one gets the focus.
    addEventListener('focus', ask);
    return () => removeEventListener('focus', ask);
  }, [path, ask]);
  return (
    <main class="sign-in" id="main">
      <h1>Tidemark</h1>
      {token === null ? <HowToSignIn fault={fault} /> : <Waiting />}
    </main>
  );
}

/** The token of a sign-in link. Removed from the address at once, so that the browser's history does not keep it. */
function useTokenOfAddress(): [string | null, () => void] {
  const [token, setToken] = useState(takeToken);
  useEffect(() => {
    const take = () => setToken(takeToken());
    addEventListener('hashchange', take);
    return () => removeEventListener('hashchange', take);
  }, []);
  const forget = useCallback(() => setToken(null), []);
  return [token, forget];
}

function takeToken(): string | null {
  if (location.pathname !== '/sign-in' || location.hash.length < 2) return null;
  const token = location.hash.slice(1);
  history.replaceState(null, '', location.pathname + location.search);
  return token;
}

function HowToSignIn({ fault }: { fault: Fault | null }) {
  const is_used = fault?.status === 401;
  return (
    <>
      {is_used && (
        <div class="notice notice-fault" role="alert">
          <p>
            <strong>This link is no longer valid.</strong> It was already used, or it has expired. Create
            another.
          </p>
        </div>
      )}
      {fault !== null && !is_used && <FaultNotice fault={fault} />}
      <p>
        You are not signed in. Tidemark has no passwords: ask an admin for a link that works once, and open it
        in this browser.
      </p>
      <p>The owner creates one on the machine that runs Tidemark:</p>
      <Commands text="npm run tidemark -- sign-in" />
      <p>You stay signed in for 30 days, or until you have not used Tidemark for 12 hours.</p>
    </>
  );
}
