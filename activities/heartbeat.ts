import { Context } from '@temporalio/activity';

const HEARTBEAT_INTERVAL_MS = 3000;

/** Sends heartbeats, so that Temporal gives the activity to another worker within seconds if this one dies. */
export async function withHeartbeat<T>(work: Promise<T>): Promise<T> {
  const context = Context.current();
  const timer = setInterval(() => context.heartbeat(), HEARTBEAT_INTERVAL_MS);
  try {
    return await work;
  } finally {
    clearInterval(timer);
  }
}
