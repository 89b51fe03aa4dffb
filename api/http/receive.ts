import type { ServerResponse } from 'node:http';
import { readBody } from './body.ts';
import { holdDeadline } from './deadline.ts';
import { exchangeOf } from './exchange.ts';

/** Reads the body of a response's request (readBody). The deadline pauses meanwhile: the client's sending time does not count. */
export async function receiveBody(response: ServerResponse, bytes_max: number): Promise<Buffer | null> {
  const goOn = holdDeadline(response);
  try {
    return await readBody(response.req, bytes_max, exchangeOf(response).deps.receive_memory);
  } finally {
    goOn();
  }
}
