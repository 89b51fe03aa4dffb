import { dueEmails, type DueEmail } from '../db/emails/due.ts';
import { noteLogin, readLoginRefusal } from '../db/emails/sender.ts';
import { CONNECTIONS } from './transport.ts';
import { tryEmail, type Emailer } from './try.ts';

/** Emails that are read at once: few, so that what is canceled meanwhile does not leave. */
const READ_AT_ONCE = 50;

/** How a round of sending ended: nothing is due, the process ends, or the server refuses the login. */
export type Round = 'done' | 'stopped' | 'login_refused';

/**
 * Gives each due email its turn, as many at a time as there are connections. A server that refuses the login ends the
 * round; the next one asks it first. `report` takes a failure of one email, which holds up no other one.
 */
export async function sendDue(
  emailer: Emailer,
  { signal, report }: { signal: AbortSignal; report: (email: DueEmail, error: unknown) => void },
): Promise<Round> {
  if (await isLoginRefused(emailer)) return 'login_refused';
  const failed = new Set<string>();
  for (;;) {
    const due = (await dueEmails(emailer.pool, READ_AT_ONCE + failed.size)).filter(
      ({ id }) => !failed.has(id),
    );
    if (due.length === 0) return 'done';
    const waiting = [...due];
    let refusal: string | null = null;
    const work = async () => {
      for (let email = waiting.shift(); email !== undefined; email = waiting.shift()) {
        if (signal.aborted || refusal !== null) return;
        try {
          const turn = await tryEmail(emailer, email);
          if (typeof turn === 'object') refusal ??= turn.login_refusal;
        } catch (error) {
          failed.add(email.id);
          report(email, error);
        }
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, work));
    if (refusal !== null) {
      await noteLogin(emailer.pool, refusal);
      return 'login_refused';
    }
    if (signal.aborted) return 'stopped';
  }
}

/** Asks a server that has refused the login before anything is sent. */
async function isLoginRefused({ pool, server }: Emailer): Promise<boolean> {
  const refusal = await readLoginRefusal(pool);
  if (refusal === null) return false;
  const refusal_now = server === null ? null : await server.transport.loginRefusal();
  await noteLogin(pool, refusal_now);
  return refusal_now !== null;
}
