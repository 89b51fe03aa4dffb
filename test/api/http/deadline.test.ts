import assert from 'node:assert/strict';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { watchConnections } from '../../../api/http/connections.ts';
import { closeExchange, holdDeadline, openExchange, startDeadline } from '../../../api/http/exchange.ts';
import type { ApiResponse } from '../../../api/http/exchange.ts';
import { createHttpServer, listen } from '../../../api/http/http-server.ts';
import { LIMITS } from '../../../api/server.ts';
import { startApi, type TestApi } from '../../support/servers/api.ts';
import { converse } from '../../support/servers/raw-http.ts';
import { assertRefused } from '../../support/ledger/refused.ts';

const REQUEST = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';

describe('the deadline of a response', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi({ processes: 1 });
  });
  after(() => api.close());

  /** Serves requests by `serve`, which sends no response, and returns the conversation with two of them. */
  async function conversation(serve: (response: ApiResponse) => Promise<void>) {
    const { deps } = api;
    const server = createHttpServer(LIMITS);
    const connections = watchConnections(server, { config: deps.config, ...LIMITS });
    server.on('request', (_, response) => {
      openExchange(deps, response);
      connections.opened(response);
      response.on('close', () => {
        closeExchange(response);
        connections.closed(response);
      });
      void serve(response);
    });
    const port = await listen(server, 0, '127.0.0.1');
    const { answers } = await converse(port, [REQUEST, REQUEST], { wanted: 2 });
    server.close();
    await once(server, 'close');
    return answers;
  }

  it('ends in a 500 that says to retry, for one request after the other', async () => {
    const answers = await conversation(async (response) => startDeadline(response, 1));
    assert.equal(answers.length, 2);
    for (const answer of answers) assertRefused(answer, { code: 'internal_error', reason: 'unavailable' });
  });

  it('does not pass while it is held, and passes after it is resumed', async () => {
    const held: boolean[] = [];
    const answers = await conversation(async (response) => {
      startDeadline(response, 1);
      const left_ms = holdDeadline(response);
      await pause(300);
      held.push(!response.headersSent);
      startDeadline(response, left_ms);
    });
    assert.deepEqual(held, [true, true]);
    assert.equal(answers.length, 2);
  });
});
