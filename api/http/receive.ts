import type { ServerResponse } from 'node:http';
import { readBody } from './body.ts';
import { holdDeadline } from './deadline.ts';
import { exchangeOf } from './exchange.ts';
import { perDeps } from './per-deps.ts';
import { createReceiveMemory } from './receive-memory.ts';

const memoryOf = perDeps(({ config }) => createReceiveMemory(config.receive_memory_bytes));

/** Reads the body of a response's request (readBody). The deadline pauses meanwhile: the client's sending time does not count. */
export async function receiveBody(response: ServerResponse, bytes_max: number): Promise<Buffer | null> {
  const goOn = holdDeadline(response);
  try {
    return await readBody(response.req, bytes_max, memoryOf(exchangeOf(response).deps));
  } finally {
    goOn();
  }
}
