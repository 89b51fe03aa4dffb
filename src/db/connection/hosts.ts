import pg from 'pg';
import { parseDatabaseUrl } from '../../settings/database-address.ts';

/** The hosts of a database URL. All pools of a process share the one that answered last. */
export type Hosts = {
  must_be_writable: boolean;
  count: number;
  /** The URL of the host that is tried next. */
  current: () => string;
  /** Moves on to the next host, unless another connection has done so since `url` was current. */
  passOver: (url: string) => void;
  /** Connects to the current host. */
  Client: typeof pg.Client;
};

const known = new Map<string, Hosts>();

/** The hosts of a database URL; a process tries them in their order, and stays with the one that it can use. */
export function hostsOf(database_url: string): Hosts {
  let hosts = known.get(database_url);
  if (hosts === undefined) known.set(database_url, (hosts = newHosts(database_url)));
  return hosts;
}

function newHosts(database_url: string): Hosts {
  const { urls, must_be_writable } = parseDatabaseUrl(database_url);
  let index = 0;
  const current = () => urls[index]!;
  class Client extends pg.Client {
    constructor(config: pg.ClientConfig) {
      super({ ...config, connectionString: current() });
    }
  }
  return {
    must_be_writable,
    count: urls.length,
    current,
    passOver: (url) => {
      if (url === current()) index = (index + 1) % urls.length;
    },
    Client,
  };
}

/** Whether a request got no connection in time because others held them all: an overload, not a failure. */
export function isPoolTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === 'timeout exceeded when trying to connect';
}

type Connected = (error: Error | undefined, client?: pg.PoolClient, release?: unknown) => void;
type Connect = (callback?: Connected) => Promise<pg.PoolClient>;

/**
 * Wraps `connect` of a pool: where it fails, every other host is tried once. Takes a callback or returns a promise, as
 * pg does.
 */
export function trying(hosts: Hosts, connect: Connect): (callback?: Connected) => unknown {
  if (hosts.count === 1) return connect;
  const tryHosts = async (): Promise<pg.PoolClient> => {
    for (let tries = 1; ; tries++) {
      const url = hosts.current();
      try {
        return await connect();
      } catch (error) {
        if (isPoolTimeout(error)) throw error;
        hosts.passOver(url);
        if (tries === hosts.count) throw error;
      }
    }
  };
  return (callback) => {
    const connected = tryHosts();
    return callback === undefined
      ? connected
      : void connected.then((client) => callback(undefined, client, client.release), callback);
  };
}
