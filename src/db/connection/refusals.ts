import pg from 'pg';
import { messageOf } from '../../process/message-of.ts';
import { Refusal } from '../../settings/refusal.ts';

/** Faults that no retry can fix, by SQLSTATE, each with a sentence from the server's message. */
const SENTENCES: Readonly<Record<string, (message: string) => string>> = {
  '28P01': (message) => `PostgreSQL does not accept the role of DATABASE_URL: ${message}`,
  '28000': (message) => `PostgreSQL does not accept the role of DATABASE_URL: ${message}`,
  '3D000': (message) => `PostgreSQL does not have the database of DATABASE_URL: ${message}`,
  '42501': (message) =>
    `the role of DATABASE_URL lacks a right: ${message}; make it the owner of its database, for example by tidemark give-database`,
  '25006': (message) => `DATABASE_URL leads to a PostgreSQL server that takes no writes: ${message}`,
  '08P01': (message) =>
    `a pooler does not accept the connection: ${message}; for PgBouncer, set pool_mode = session and ignore_startup_parameters = options`,
};

/** Codes of Node for a certificate that is not trusted. */
const CERTIFICATE = /^(?:SELF_SIGNED|DEPTH_ZERO|UNABLE_TO|ERR_TLS|CERT_)/;

/** The Refusal for an error at the start that no retry can fix; any other error as it is. */
export function asRefusal(error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error;
  const code = String(error.code);
  if (error instanceof pg.DatabaseError) {
    const sentence = SENTENCES[code];
    return sentence === undefined ? error : new Refusal(sentence(messageOf(error)), { cause: error });
  }
  if (!CERTIFICATE.test(code)) return error;
  return new Refusal(
    `the certificate of PostgreSQL is not trusted: ${messageOf(error)}; name its authority by sslrootcert in DATABASE_URL`,
    { cause: error },
  );
}
