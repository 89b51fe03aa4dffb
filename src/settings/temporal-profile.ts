import { readFileSync } from 'node:fs';
import { loadClientConfigProfile, toClientOptions } from '@temporalio/envconfig';
import { messageOf } from '../process/message-of.ts';

type ConnectionOptions = ReturnType<typeof toClientOptions>['connectionOptions'];

/** How a process reaches Temporal, except the address: TLS, the API key and headers. */
export type TemporalConnection = Omit<ConnectionOptions, 'address'>;

export type TemporalProfile = {
  /** Null: not set. */
  address: string | null;
  namespace: string | null;
  connection: TemporalConnection;
};

/**
 * Reads the settings TEMPORAL_* as every Temporal tool does. A configuration file is read only if TEMPORAL_CONFIG_FILE
 * or TEMPORAL_PROFILE is set: the default file of a user may lead to a server of another project. Throws an Error, one
 * sentence.
 */
export function readTemporalProfile(settings: {
  readonly [name: string]: string | undefined;
}): TemporalProfile {
  const { TEMPORAL_CONFIG_FILE, TEMPORAL_PROFILE } = settings;
  const overrideEnvVars = Object.fromEntries(
    Object.entries(settings).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  const disableFile = TEMPORAL_CONFIG_FILE === undefined && TEMPORAL_PROFILE === undefined;
  try {
    // The library ignores a file that does not exist.
    const data = TEMPORAL_CONFIG_FILE === undefined ? null : readFileSync(TEMPORAL_CONFIG_FILE);
    const source = data === null ? {} : { configSource: { data } };
    const profile = loadClientConfigProfile({ overrideEnvVars, disableFile, ...source });
    const { clientCert, clientKey } = profile.tls ?? {};
    if ((clientCert === undefined) !== (clientKey === undefined))
      throw new Error('a client certificate needs its key, and a key its certificate');
    const { namespace = null, connectionOptions } = toClientOptions(profile);
    const { address = null, ...connection } = connectionOptions;
    return { address, namespace, connection };
  } catch (error) {
    throw new Error(`the settings of Temporal cannot be used: ${messageOf(error)}`);
  }
}
