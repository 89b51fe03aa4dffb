import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { LOOPBACK, anyFreePort, choosePort, isFree } from '../../../dev/ports.ts';

const API = { what: 'the API', setting: 'PORT', host: LOOPBACK };

describe('ports', () => {
  const server = createServer();
  let taken = 0;

  before(async () => {
    taken = await anyFreePort();
    server.listen(taken, LOOPBACK);
    await once(server, 'listening');
  });
  after(() => server.close());

  it('a port with a listener is not free', async () => {
    assert.equal(await isFree(taken), false);
    assert.equal(await isFree(await anyFreePort()), true);
  });

  it('a default port that is taken is replaced by a higher one, with a message', async () => {
    const said: string[] = [];
    const port = await choosePort({ ...API, port: taken, was_asked_for: false }, (line) => said.push(line));
    assert.ok(port > taken && port <= taken + 100);
    assert.deepEqual(said, [`Port ${taken} is in use, so the API uses port ${port}.`]);
  });

  it('a requested port that is taken is an error that names it', () =>
    assert.rejects(
      choosePort({ ...API, port: taken, was_asked_for: true }, assert.fail),
      new Error(`port ${taken}, set by PORT, is in use`),
    ));

  it('a free port is below the range that the system gives to outgoing connections', async () => {
    const ports = await Promise.all(Array.from({ length: 50 }, () => anyFreePort()));
    for (const port of ports) assert.ok(port > 1023 && port < 32_768, `${port}`);
    assert.ok(new Set(ports).size > 25);
  });

  it('port 0 is any free port', async () => {
    assert.ok((await choosePort({ ...API, port: 0, was_asked_for: true }, assert.fail)) > 0);
  });
});
