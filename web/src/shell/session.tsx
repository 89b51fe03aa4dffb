import { createContext, type ComponentChildren } from 'preact';
import { useCallback, useContext, useEffect, useMemo, useState } from 'preact/hooks';
import { createClient, type Client } from '../api/client.ts';
import { asFault, type Fault } from '../api/fault.ts';
import type { Dashboard } from '../api/objects.ts';
import { useEnvironment } from './environment.tsx';

/** Whether somebody is signed in: not known yet, no, yes, or the request failed. */
export type SignedIn =
  | { state: 'asking' }
  | { state: 'signed_out' }
  | { state: 'signed_in'; dashboard: Dashboard }
  | { state: 'failed'; fault: Fault };

type SessionOfPage = {
  client: Client;
  signed_in: SignedIn;
  /** Asks the API again who is signed in. */
  ask: () => void;
  signOut: () => Promise<void>;
};

const Context = createContext<SessionOfPage | null>(null);
/** Provides a session without a person to the page of a portal link. */
export const SessionContext = Context;

/** Asks once who is signed in, and provides the session to all components inside. */
export function SessionProvider({ children }: { children: ComponentChildren }) {
  const environment = useEnvironment();
  const [signed_in, setSignedIn] = useState<SignedIn>({ state: 'asking' });
  const leave = useCallback(() => setSignedIn({ state: 'signed_out' }), []);
  const client = useMemo(
    () => createClient({ 'Tidemark-Environment': environment }, leave),
    [environment, leave],
  );
  const ask = useCallback(() => {
    client.get<Dashboard>('/dashboard/api/session').then(
      (dashboard) => setSignedIn({ state: 'signed_in', dashboard }),
      (error: unknown) => {
        const fault = asFault(error);
        setSignedIn(fault.status === 401 ? { state: 'signed_out' } : { state: 'failed', fault });
      },
    );
  }, [client]);
  useEffect(ask, [ask]);
  const signOut = async () => {
    await client.post('/dashboard/api/session/end');
    leave();
  };
  return <Context.Provider value={{ client, signed_in, ask, signOut }}>{children}</Context.Provider>;
}

/** The session, with functions to refresh it and to sign out. Throws outside SessionProvider. */
export function useSession(): SessionOfPage {
  const session = useContext(Context);
  if (session === null) throw new Error('A page stands outside SessionProvider.');
  return session;
}

/**
 * Whether the person who is signed in may use an operation, by its id: pages offer nothing else. Nobody may use one on
 * the page of a portal link.
 */
export function useMay(operation: string): boolean {
  const { signed_in } = useSession();
  return signed_in.state === 'signed_in' && signed_in.dashboard.may.includes(operation);
}

/** Shows its children to people who may use an operation. */
export function May({ use, children }: { use: string; children: ComponentChildren }) {
  return useMay(use) ? <>{children}</> : null;
}

/** Shows its children to admins: what is of use to those alone who run Tidemark. */
export function ForAdmins({ children }: { children: ComponentChildren }) {
  return useDashboard().user.role === 'admin' ? <>{children}</> : null;
}

/** A client of the API in the current environment. */
export function useClient(): Client {
  return useSession().client;
}

/** The settings of the dashboard. Throws if nobody is signed in: only for pages behind the sign-in. */
export function useDashboard(): Dashboard {
  const { signed_in } = useSession();
  if (signed_in.state !== 'signed_in') throw new Error('Nobody is signed in.');
  return signed_in.dashboard;
}
