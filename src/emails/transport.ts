import { setTimeout as pause } from 'node:timers/promises';
import { createTransport, type NodemailerError } from 'nodemailer';
import { REPLY_LENGTH_MAX } from '../domain/email/email.ts';
import type { SmtpAnswer, TryAnswers } from '../domain/email/fate.ts';
import { messageOf } from '../process/message-of.ts';
import type { EmailSettings } from '../settings/email-settings.ts';

/** Longest wait for a connection, for a greeting, and for the next answer. */
const STEP_MS = 30_000;
/** Longest time of a message, of a server that answers one byte at a time too. */
const MESSAGE_MS = 240_000;
export const CONNECTIONS = 5;
/** Short: servers close connections on which nothing comes. */
const IDLE_MS = 5000;
const LOOPBACK = ['localhost', '127.0.0.1', '::1'];
const TAKEN = 250;
const SECOND_MS = 1000;
/** Commands whose answer is about the message, not about the connection. */
const OF_MESSAGE = ['MAIL FROM', 'RCPT TO', 'DATA'];

/** A message that is ready to leave. `attachments` have their bytes. */
export type Message = {
  message_id: string;
  to: readonly string[];
  /** Gets it too, and is named nowhere. */
  copy_to: string | null;
  reply_to: string | null;
  subject: string;
  text: string;
  html: string;
  attachments: readonly { filename: string; content_type: string; content: Buffer }[];
};

/** The server's answers to a message, or its refusal of the login, which is about no message. */
export type Answered = { answers: TryAnswers } | { login_refusal: string };

/** Connections to the server. Close it at the end. */
export type Transport = {
  send: (message: Message) => Promise<Answered>;
  /** The words with which the server refuses the login; null if it takes it. Throws if there is no answer. */
  loginRefusal: () => Promise<string | null>;
  close: () => void;
};

/**
 * Opens no connection before the first message. It never reads files or addresses that a message names, and never sends
 * a message again by itself. A login needs TLS, unless the server is this machine.
 */
export function createEmailTransport(settings: EmailSettings, { step_ms = STEP_MS } = {}): Transport {
  const { host, port, is_tls, login, from, rate } = settings;
  const transporter = createTransport({
    pool: true,
    host,
    port,
    secure: is_tls,
    maxConnections: CONNECTIONS,
    idleTimeout: IDLE_MS,
    // A message whose connection ends may have been taken: when to try again is for the rows to say.
    maxRequeues: 0,
    connectionTimeout: step_ms,
    greetingTimeout: step_ms,
    socketTimeout: step_ms,
    dnsTimeout: step_ms,
    disableFileAccess: true,
    disableUrlAccess: true,
    requireTLS: login !== null && !is_tls && !LOOPBACK.includes(host),
    ...(login === null ? {} : { auth: { user: login.user, pass: login.password } }),
  });
  const takeTurn = createTurns(rate);
  return {
    send: async (message) => {
      await takeTurn();
      try {
        const signal = AbortSignal.timeout(MESSAGE_MS);
        const taken = await transporter.sendMail({ ...headersOf(message), from, signal });
        const answer = { code: TAKEN, text: textOf(taken.response) };
        return { answers: { message: answer, not_taken: notTakenOf(taken.rejectedErrors) } };
      } catch (error) {
        return answered(error);
      }
    },
    loginRefusal: async () => {
      try {
        await transporter.verify();
        return null;
      } catch (error) {
        const failed = answered(error);
        if ('login_refusal' in failed) return failed.login_refusal;
        throw error;
      }
    },
    close: () => transporter.close(),
  };
}

/** Turns at a rate, evenly apart. Under its own rate nodemailer sends a message more for each connection. */
function createTurns(rate: number): () => Promise<void> {
  const apart_ms = SECOND_MS / rate;
  let next_ms = 0;
  return async () => {
    const now_ms = performance.now();
    const turn_ms = Math.max(now_ms, next_ms);
    next_ms = turn_ms + apart_ms;
    if (turn_ms > now_ms) await pause(turn_ms - now_ms);
  };
}

/** The answers in an error of nodemailer. An address that was refused by itself has its own. */
function answered(error: unknown): Answered {
  const { code, command, response, responseCode, rejectedErrors } = failureOf(error);
  const text = textOf(response ?? messageOf(error));
  if (code === 'EAUTH') return { login_refusal: text };
  const is_of_message = command !== undefined && OF_MESSAGE.includes(command);
  const message = { code: is_of_message ? (responseCode ?? null) : null, text };
  return { answers: { message, not_taken: notTakenOf(rejectedErrors) } };
}

function failureOf(error: unknown): Partial<NodemailerError> {
  return isFailure(error) ? error : {};
}

function isFailure(error: unknown): error is NodemailerError {
  return error instanceof Error;
}

function notTakenOf(errors: readonly NodemailerError[] = []): Map<string, SmtpAnswer> {
  return new Map(
    errors.map(({ recipient = '', response = '', responseCode }) => [
      recipient,
      { code: responseCode ?? null, text: textOf(response) },
    ]),
  );
}

function textOf(response: string): string {
  return response.slice(0, REPLY_LENGTH_MAX);
}

/** A message as nodemailer takes it. */
export function headersOf({ attachments, reply_to, copy_to, message_id, ...message }: Message) {
  return {
    ...message,
    to: [...message.to],
    messageId: message_id,
    // Nobody's absence notice answers it.
    headers: { 'Auto-Submitted': 'auto-generated' },
    attachments: attachments.map(({ filename, content_type, content }) => ({
      filename,
      contentType: content_type,
      content,
    })),
    ...(reply_to === null ? {} : { replyTo: reply_to }),
    ...(copy_to === null ? {} : { bcc: copy_to }),
  };
}
