import type { ServerResponse } from 'node:http';
import { readBody } from './body.ts';
import { holdDeadline } from './deadline.ts';

/** The body of a request by its response, as readBody gives it. How long its client takes is not counted into the answer's time. */
export async function receiveBody(response: ServerResponse, bytes_max: number): Promise<Buffer | null> {
  const goOn = holdDeadline(response);
  try {
    return await readBody(response.req, bytes_max);
  } finally {
    goOn();
  }
}
