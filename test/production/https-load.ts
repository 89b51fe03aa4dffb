import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { setTimeout as pause } from 'node:timers/promises';

const CLIENTS = 8;
const PAUSE_MS = 5;

export type Load = {
  /** Ends the load. Resolves with how many requests were sent, and what went wrong with each that failed. */
  end: () => Promise<{ sent: number; failures: string[] }>;
};

type Place = { url: string; key: string; authority: string; customer_id: string };

/** Clients that each post single events one after another, over connections that they keep. */
export function startLoad({ url, key, authority, customer_id }: Place): Load {
  const agent = new Agent({ keepAlive: true, ca: readFileSync(authority) });
  const failures: string[] = [];
  let sent = 0;
  let is_over = false;
  const post = (body: string) =>
    new Promise<string>((resolve) => {
      const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
      const sending = request(`${url}/v1/events`, { method: 'POST', agent, headers }, (response) => {
        response.resume().once('end', () => resolve(`${response.statusCode}`));
      });
      sending.once('error', (error) => resolve(error.message)).end(body);
    });
  const client = async () => {
    while (!is_over) {
      sent++;
      const idempotency_key = randomUUID();
      const answer = await post(JSON.stringify({ event_name: 'api_call', customer_id, idempotency_key }));
      if (answer !== '201') failures.push(answer);
      await pause(PAUSE_MS);
    }
  };
  const clients = Array.from({ length: CLIENTS }, client);
  return {
    end: async () => {
      is_over = true;
      await Promise.all(clients);
      agent.destroy();
      return { sent, failures };
    },
  };
}
