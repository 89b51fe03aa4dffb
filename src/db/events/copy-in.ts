import type pg from 'pg';

/** What pg's connection has for COPY, which its types leave out. */
declare module 'pg' {
  interface Connection {
    sendCopyFromChunk: (data: Buffer) => void;
    endCopyFrom: () => void;
  }
}

/**
 * Runs a `copy ... from stdin`, which reads all of `data`; rejects with what the server says, and when query_timeout is over. By
 * hand, because pg-copy-streams throws where nobody can catch it when a server that was stopped answers after that.
 */
export function copyIn(db: pg.PoolClient, text: string, data: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const copy = {
      // pg puts its timeout around it, so it is looked up at each call.
      callback: (error: Error | null) => (error === null ? resolve() : reject(error)),
      // The data does not wait for the server to ask for it: one that refuses the statement passes over what follows.
      submit(connection: pg.Connection) {
        connection.query(text);
        connection.sendCopyFromChunk(data);
        connection.endCopyFrom();
      },
      handleCopyInResponse: () => undefined,
      handleCommandComplete: () => undefined,
      handleReadyForQuery: () => copy.callback(null),
      handleError: (error: Error) => copy.callback(error),
    };
    db.query(copy);
  });
}
