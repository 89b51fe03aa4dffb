import type { Socket } from 'node:net';

/** The header that each connection sent last with a valid key, and the hash of that key. */
export type SentKeys = {
  /** The hash of the key, if the connection sent this header last; else null. */
  hashOf: (socket: Socket, header: string) => string | null;
  /** Remembers a header whose key is valid until `good_until`, a time of performance.now(). */
  remember: (socket: Socket, sent_key: SentKey, good_until: number) => void;
  /** Forgets every header: the cached answers about their keys have been replaced. */
  forget: () => void;
  /** How many headers are remembered. */
  size: () => number;
};

/** Limit of the connections, as many as the server keeps: beyond it, all headers are forgotten. */
const SENT_KEYS_MAX = 5000;

type SentKey = { header: string; hash: string };

/**
 * Remembers the header that a connection sent last, so that its next requests need no SHA-256. A key in plain text
 * stays no longer than the cached answer about it: until the next reading of the database, or until the answer is too
 * old to decide.
 */
export function createSentKeys(sent_keys_max = SENT_KEYS_MAX): SentKeys {
  const sent_keys = new Map<Socket, SentKey>();
  let timer: NodeJS.Timeout | undefined;

  const forget = () => {
    clearTimeout(timer);
    timer = undefined;
    sent_keys.clear();
  };

  return {
    hashOf(socket, header) {
      const sent_key = sent_keys.get(socket);
      return sent_key !== undefined && isSame(sent_key.header, header) ? sent_key.hash : null;
    },
    remember(socket, sent_key, good_until) {
      if (sent_keys.size >= sent_keys_max) forget();
      sent_keys.set(socket, sent_key);
      // All that are remembered between two readings are good for equally long.
      timer ??= setTimeout(forget, good_until - performance.now()).unref();
    },
    forget,
    size: () => sent_keys.size,
  };
}

/** Compares every character, so that the time does not tell where the texts differ. */
function isSame(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let at = 0; at < a.length; at++) difference |= a.charCodeAt(at) ^ b.charCodeAt(at);
  return difference === 0;
}
