import { createServer } from 'node:http';
import { readConfig } from '../src/settings/config.ts';
import { announceReady, exitWithParent } from '../src/process/lifecycle.ts';

/* The minimum that a Node service does for an event: reads and parses the body, stores nothing and responds. */

const ANSWER = JSON.stringify({ object: 'event' });

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    JSON.parse(Buffer.concat(chunks).toString());
    response
      .writeHead(201, { 'Content-Type': 'application/json', 'Content-Length': ANSWER.length })
      .end(ANSWER);
  });
});

const { port, host } = readConfig();
server.listen(port, host, announceReady);
exitWithParent(() => {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
});
