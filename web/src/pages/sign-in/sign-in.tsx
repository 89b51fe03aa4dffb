import { useLocation } from 'preact-iso/router';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { asFault, type Fault } from '../../api/fault.ts';
import type { List, Passkey, SignInMethods } from '../../api/objects.ts';
import { useLoad } from '../../api/use-load.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { Commands } from '../../components/copy.tsx';
import { Loading, Waiting } from '../../components/loading.tsx';
import { FaultNotice } from '../../components/notice.tsx';
import { useClient, useSession } from '../../shell/session.tsx';
import { keepWantedPage, readWantedPage, takeWantedPage } from '../../shell/wanted-page.ts';
import { addPasskey, mayHavePasskeys, signInByPasskey } from './passkey.ts';

/** Page for visitors without a session, and target of the one-time link, which has its token in the fragment. */
export function SignInPage() {
  const [token, forget] = useTokenOfAddress();
  const [fault, setFault] = useState<Fault | null>(null);
  const [is_offered, setOffered] = useState(false);
  const client = useClient();
  const { signed_in, ask } = useSession();
  const { path, route } = useLocation();
  const is_needless = token === null && fault === null && !is_offered && signed_in.state === 'signed_in';
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
        setOffered(mayHavePasskeys());
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
  const is_passkey_offered = is_offered && signed_in.state === 'signed_in';
  const is_asked = token === null && !is_offered;
  return (
    <main class="sign-in" id="main">
      <h1>Tidemark</h1>
      {is_passkey_offered && <OfferPasskey done={() => setOffered(false)} />}
      {is_asked && <HowToSignIn fault={fault} signed_in={ask} />}
      {!is_passkey_offered && !is_asked && <Waiting />}
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

/** Who came by a link, and has no passkey yet, is offered one. */
function OfferPasskey({ done }: { done: () => void }) {
  const loaded = useLoad<List<Passkey>>('/dashboard/api/passkeys?limit=1');
  const client = useClient();
  const has_one = loaded.value !== null && loaded.value.data.length > 0;
  useEffect(() => {
    if (has_one) done();
  }, [has_one, done]);
  const add = async () => {
    await addPasskey(client, 'This device');
    done();
  };
  return (
    <Loading loaded={loaded}>
      {() => (
        <>
          <p>You are signed in. Add a passkey, and next time this device signs you in without a link.</p>
          <div class="page-actions">
            <ActionButton label="Add a passkey" kind="primary" perform={add} />
            <button type="button" onClick={done}>
              Not now
            </button>
          </div>
        </>
      )}
    </Loading>
  );
}

/** Why the provider's sign-in did not open a session, by the word in the address. */
const REFUSALS: Readonly<Record<string, string>> = {
  declined: 'You have declined, or the provider has.',
  failed: 'The provider has not confirmed who you are. Try again; if it fails again, contact the operator.',
  expired: 'The sign-in took longer than ten minutes, or was begun in another browser. Try again.',
  not_invited: 'Nobody has invited this address, or it belongs to another user. Ask an admin.',
  email_missing: 'The provider has not said your email address.',
  email_not_verified: 'The provider has not verified your email address.',
  no_role: 'The provider gives you no role in Tidemark. Ask the person who keeps your groups.',
  removed: 'An admin has removed you. Ask an admin to invite you again.',
};

/** The way to the provider, where there is one, and what became of it. */
function ByProvider() {
  const loaded = useLoad<SignInMethods>('/dashboard/api/sign-in-methods');
  const refusal = REFUSALS[new URLSearchParams(location.search).get('error') ?? ''];
  const query = new URLSearchParams({ return_to: readWantedPage() });
  return (
    <>
      {refusal !== undefined && (
        <div class="notice notice-fault" role="alert">
          <p>
            <strong>You are not signed in.</strong> {refusal}
          </p>
        </div>
      )}
      {loaded.value?.oidc === true && (
        <p>
          <a class="button primary" href={`/dashboard/api/oidc/start?${query.toString()}`}>
            Sign in with your company account
          </a>
        </p>
      )}
    </>
  );
}

function HowToSignIn({ fault, signed_in }: { fault: Fault | null; signed_in: () => void }) {
  const is_used = fault?.status === 401;
  const client = useClient();
  const signIn = async () => {
    await signInByPasskey(client);
    signed_in();
  };
  return (
    <>
      {is_used && (
        <div class="notice notice-fault" role="alert">
          <p>
            <strong>This link is no longer valid.</strong> It was already used, it has expired, or its maker
            is no longer an admin. Ask for another.
          </p>
        </div>
      )}
      {fault !== null && !is_used && <FaultNotice fault={fault} />}
      <ByProvider />
      <p>
        You are not signed in. Tidemark has no passwords: use a passkey, or ask an admin for a link that works
        once, and open it in this browser.
      </p>
      {mayHavePasskeys() && <ActionButton label="Sign in with a passkey" kind="primary" perform={signIn} />}
      <p>The owner creates one on the machine that runs Tidemark:</p>
      <Commands text="npm run tidemark -- sign-in" />
      <p>You stay signed in for 30 days, or until you have not used Tidemark for 12 hours.</p>
    </>
  );
}
