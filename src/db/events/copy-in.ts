import type pg from 'pg';

/** Methods for COPY of pg's connection, which pg's types leave out. */
declare module 'pg' {
  interface Connection {
    sendCopyFromChunk: (data: Buffer) => void;
    endCopyFrom: () => void;
  }
}

/**
 * Runs `copy ... from stdin` with `data`; statements before it in `text` are one transaction with it, and their rows
 * are ignored. Rejects with the server's error, or once query_timeout is over. Hand-written, because pg-copy-streams
 * throws an error that no caller can catch if a stopped server responds after the timeout.
 */
export function copyIn(db: pg.PoolClient, text: string, data: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const copy = {
      // pg wraps this callback for its timeout, so it must be looked up at each call.
      callback: (error: Error | null) => (error === null ? resolve() : reject(error)),
      // Send the data without waiting for the server's request: a server that refuses the statement skips the data.
      submit(connection: pg.Connection) {
        connection.query(text);
        connection.sendCopyFromChunk(data);
        connection.endCopyFrom();
      },
      handleRowDescription: () => undefined,
      handleDataRow: () => undefined,
      handleCopyInResponse: () => undefined,
      handleCommandComplete: () => undefined,
      handleReadyForQuery: () => copy.callback(null),
      handleError: (error: Error) => copy.callback(error),
    };
    db.query(copy);
  });
}
