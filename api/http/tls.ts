import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Server } from 'node:https';
import { setTimeout as pause } from 'node:timers/promises';
import { createSecureContext } from 'node:tls';
import type { TlsFiles } from '../../src/settings/config.ts';
import type { Logger } from '../../src/telemetry/log.ts';
import { messageOf } from '../../src/process/message-of.ts';

/** A certificate, with the chain behind it, and its private key, both in PEM form. They belong together. */
type Pair = { cert: string; key: string };

export type Certificate = {
  pair: Pair;
  /** Reads the files again every `poll_ms` and gives the server what is new. Returns a function that ends this. */
  keepFresh: (server: Pick<Server, 'setSecureContext'>, log: Logger, poll_ms: number) => () => void;
};

/** Reads certificate and key. Rejects with an Error, one sentence that names the setting, if they are of no use. */
export async function openCertificate(files: TlsFiles): Promise<Certificate> {
  const pair = await readPair(files);
  checkPair(files, pair);
  return {
    pair,
    keepFresh: (server, log, poll_ms) => {
      const stopping = new AbortController();
      void poll({ files, pair, server, log }, poll_ms, stopping.signal);
      return () => stopping.abort();
    },
  };
}

type Served = { files: TlsFiles; pair: Pair; server: Pick<Server, 'setSecureContext'>; log: Logger };

async function poll({ files, pair, server, log }: Served, poll_ms: number, signal: AbortSignal) {
  let served = pair;
  let fault: string | null = null;
  const refresh = async () => {
    const new_pair = await readPair(files);
    if (new_pair.cert !== served.cert || new_pair.key !== served.key) {
      checkPair(files, new_pair);
      server.setSecureContext(new_pair);
      served = new_pair;
      log.info({ valid_to: new X509Certificate(new_pair.cert).validTo }, 'a new certificate is in use');
    }
    fault = null;
  };
  while (!signal.aborted) {
    await pause(poll_ms, undefined, { signal, ref: false }).catch(() => undefined);
    if (signal.aborted) return;
    await refresh().catch((error: unknown) => {
      const reason = messageOf(error);
      // One line, not one a poll.
      if (reason !== fault)
        log.error({ reason }, 'the certificate files are of no use: the old certificate stays');
      fault = reason;
    });
  }
}

async function readPair({ cert_file, key_file }: TlsFiles): Promise<Pair> {
  return {
    cert: await contentOf('TLS_CERT_FILE', cert_file),
    key: await contentOf('TLS_KEY_FILE', key_file),
  };
}

async function contentOf(setting: string, file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: unknown) => {
    throw new Error(`${setting} cannot be read: ${messageOf(error)}`);
  });
}

function checkPair({ cert_file, key_file }: TlsFiles, pair: Pair): void {
  const certificate = parsed(
    () => new X509Certificate(pair.cert),
    `TLS_CERT_FILE: ${cert_file} is not a certificate in PEM form`,
  );
  const key = parsed<KeyObject>(
    () => createPrivateKey(pair.key),
    `TLS_KEY_FILE: ${key_file} is not a private key in PEM form without a passphrase`,
  );
  if (!certificate.checkPrivateKey(key))
    throw new Error(`TLS_KEY_FILE: ${key_file} is not the key of the first certificate in TLS_CERT_FILE`);
  try {
    createSecureContext(pair);
  } catch (error) {
    throw new Error(`TLS_CERT_FILE and TLS_KEY_FILE cannot be used: ${messageOf(error)}`);
  }
}

function parsed<Parsed>(parse: () => Parsed, fault: string): Parsed {
  try {
    return parse();
  } catch {
    throw new Error(fault);
  }
}
