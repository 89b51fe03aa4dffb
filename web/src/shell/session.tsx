import { createContext, type ComponentChildren } from 'preact';
import { useCallback, useContext, useEffect, useMemo, useState } from 'preact/hooks';
import { createClient, type Client } from '../api/client.ts';
import { asFault, type Fault } from '../api/fault.ts';
import type { Dashboard } from '../api/objects.ts';
import { useEnvironment } from './environment.tsx';

/** Who looks: not known yet, nobody, somebody, or it cannot be found out. */
export type SignedIn =
  | { state: 'asking' }
  | { state: 'signed_out' }
  | { state: 'signed_in'; dashboard: Dashboard }
  | { state: 'failed'; fault: Fault };

type SessionOfPage = {
  client: Client;
  signed_in: SignedIn;
  /** Asks the API anew who is signed in. */
  ask: () => void;
  signOut: () => Promise<void>;
};

const Context = createContext<SessionOfPage | null>(null);

export function SessionProvider({ children }: { children: ComponentChildren }) {
  const environment = useEnvironment();
  const [signed_in, setSignedIn] = useState<SignedIn>({ state: 'asking' });
  const leave = useCallback(() => setSignedIn({ state: 'signed_out' }), []);
  const client = useMemo(() => createClient(environment, leave), [environment, leave]);
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

/** Who looks at the page, and how to change that. */
export function useSession(): SessionOfPage {
  const session = useContext(Context);
  if (session === null) throw new Error('A page stands outside SessionProvider.');
  return session;
}

/** The API of the environment in sight. */
export function useClient(): Client {
  return useSession().client;
}

/** What the API said of the dashboard; only pages that somebody signed in sees may ask. */
export function useDashboard(): Dashboard {
  const { signed_in } = useSession();
  if (signed_in.state !== 'signed_in') throw new Error('Nobody is signed in.');
  return signed_in.dashboard;
}
