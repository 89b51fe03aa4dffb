import { createServer, type Server, type ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { atEnd } from '../support/servers/at-end.ts';
import type { Json } from '../support/servers/api.ts';
import { write } from './front.ts';

export type FeedServer = {
  url: string;
  /** The queries of all requests. */
  asked: Record<string, string>[];
  /** Adds a change of the type, with the next sequence. */
  publish: (type: string, parts?: object) => void;
  /** The last sequence. */
  newest: () => number;
  /** Stops, breaking all connections; starts again at the same address. */
  stop: () => Promise<void>;
  start: () => Promise<void>;
  /** The next requests are answered by these. */
  answers: ((response: ServerResponse) => void)[];
};

/**
 * A server that answers GET /v1/changes with the pages that the API will answer: oldest first after `after`, `types`, `customer_id`, `limit`,
 * `wait`, 400 for an `after` that is too old or beyond the newest. `page_max` changes are read for a page, whatever the filter lets through.
 */
export async function aFeedServer({ page_max = 100, oldest = 1 } = {}): Promise<FeedServer> {
  const changes: Json[] = [];
  const newest = () => oldest + changes.length - 1;

  function pageAfter(after: number, query: URLSearchParams): Json {
    const read = changes.filter(({ sequence }) => sequence > after).slice(0, page_max);
    const types = query.get('types')?.split(',') ?? ['*'];
    const customer_id = query.get('customer_id');
    const data = read
      .filter(({ type }) =>
        types.some((wanted) => wanted === type || wanted === `${type.split('.')[0]}.*` || wanted === '*'),
      )
      .filter((change) => customer_id === null || change.customer_id === customer_id)
      .slice(0, Number(query.get('limit') ?? 100));
    const next_after = read.at(-1)?.sequence ?? after;
    return {
      object: 'list',
      data,
      has_more: next_after < newest(),
      next_after,
      oldest_sequence: oldest,
      newest_sequence: newest(),
    };
  }

  async function answer(query: URLSearchParams, response: ServerResponse): Promise<void> {
    const after = Number(query.get('after') ?? oldest - 1);
    if (after > newest()) return refuse(response, 'out_of_range');
    if (after < oldest - 1) return refuse(response, 'too_old');
    const deadline = performance.now() + Number(query.get('wait') ?? 0) * 1000;
    let page = pageAfter(after, query);
    while (page.data.length === 0 && !page.has_more && performance.now() < deadline && !response.destroyed) {
      await pause(10);
      page = pageAfter(after, query);
    }
    write(response, { status: 200, body: page });
  }

  const asked: Record<string, string>[] = [];
  const answers: FeedServer['answers'] = [];
  let server: Server | null = null;
  let port = 0;
  const start = async () => {
    const started = createServer((request, response) => {
      const query = new URL(request.url ?? '', 'http://localhost').searchParams;
      asked.push(Object.fromEntries(query));
      const own = answers.shift();
      if (own === undefined) void answer(query, response);
      else own(response);
    });
    await new Promise<void>((resolve) => started.listen(port, '127.0.0.1', resolve));
    const address = started.address();
    if (typeof address === 'object' && address !== null) ({ port } = address);
    server = started;
  };
  const stop = async () => {
    const stopped = server;
    server = null;
    stopped?.closeAllConnections();
    await new Promise((resolve) => stopped?.close(resolve) ?? resolve(undefined));
  };
  await start();
  atEnd(stop);
  return {
    ...{ url: `http://127.0.0.1:${port}`, asked, answers, newest, stop, start },
    publish: (type, parts = {}) => void changes.push(aChange(newest() + 1, type, parts)),
  };
}

function aChange(sequence: number, type: string, parts: object): object {
  return {
    ...{
      id: `chn_${sequence}`,
      object: 'change',
      livemode: false,
      created_at: '2026-01-01T00:00:00.000Z',
      sequence,
      type,
    },
    ...{
      object_type: type.split('.')[0],
      object_id: `${type}-${sequence}`,
      customer_id: null,
      actor: null,
      data: null,
    },
    ...parts,
  };
}

function refuse(response: ServerResponse, reason: string): void {
  const message = `after is ${reason}`;
  const error = {
    code: 'invalid_request',
    message,
    param: 'after',
    details: [{ param: 'after', reason, message }],
  };
  write(response, { status: 400, body: { error } });
}
