import { setTimeout as pause } from 'node:timers/promises';
import { InvalidArgumentError, type Command } from 'commander';
import type { Config } from '../src/settings/config.ts';
import type { FeedChange } from '../web/src/api/objects.ts';
import { networksOf } from '../src/settings/networks.ts';
import { bodyOf, headersOf } from '../src/webhooks/message.ts';
import { post } from '../src/webhooks/post.ts';
import { newSecret, signatureHeaders } from '../src/webhooks/signature.ts';
import { askingApi, openApi, type ApiOptions } from './api.ts';
import { lineOf, sequenceOption } from './changes.ts';
import { changesAfter, newestSequence } from './follow.ts';
import { withExamples } from './help.ts';
import { untilInterrupted } from './interrupt.ts';
import { jsonOf, printLine } from './output.ts';

const TIMEOUT_MS = 15_000;
const RETRY_MS = { first: 1000, last: 30_000 };
/** The person at this machine says where it posts. */
const ANYWHERE = { allowed: networksOf('0.0.0.0/0,::/0'), is_loopback_allowed: true };

type ListenOptions = ApiOptions & { forwardTo: string; types?: string; after?: number; secret?: string };
type Forwarded = { url: string; secret: string; source: string; signal: AbortSignal };

/** Adds `listen`. */
export function addListen(program: Command, config: Config): void {
  withExamples(
    askingApi(
      program
        .command('listen')
        .description(
          'post each change to a program on this machine, as a webhook endpoint would, until Ctrl-C',
        ),
    ),
    [
      'listen --forward-to http://127.0.0.1:4000/hooks',
      'listen --forward-to http://localhost:4000 --types invoice.*',
    ],
  )
    .requiredOption('--forward-to <url>', 'address to which the changes are posted', readTarget)
    .option('--types <types>', 'only these types, separated by commas')
    .option('--after <number>', 'start after this number (default: with what comes next)', sequenceOption())
    .option('--secret <secret>', 'secret that signs (default: a new one, which is printed)', readSecret)
    .action((options: ListenOptions) => listen(config, options));
}

/**
 * Forwards one change after the other, so that they arrive in order. A change that fails is tried again until it
 * arrives.
 */
async function listen(
  config: Config,
  { forwardTo: url, types, json, ...options }: ListenOptions,
): Promise<void> {
  const signal = untilInterrupted();
  const api = openApi(config, { json, ...options });
  const { secret = newSecret() } = options;
  if (options.secret === undefined) console.error(`Signing with ${secret}`);
  let { after } = options;
  try {
    after ??= await newestSequence(api, signal);
    for await (const { changes, next_after } of changesAfter(api, { after, types, signal })) {
      for (const change of changes) {
        const status = await forwarded(change, { url, secret, source: `${api.url}/v1/changes`, signal });
        after = change.sequence;
        printLine(
          json
            ? jsonOf({ ...change, data: undefined, response_status: status })
            : `${status}  ${lineOf(change)}`,
        );
      }
      after = next_after;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    if (after !== undefined) console.error(`To go on: --after ${after} --secret ${secret}`);
  }
}

/** Posts a change until the answer is 200 to 299; returns it. Throws if the signal aborts. */
async function forwarded(change: FeedChange, { url, secret, source, signal }: Forwarded): Promise<number> {
  const body = bodyOf(change, 'full');
  for (let wait_ms = RETRY_MS.first; ; wait_ms = Math.min(wait_ms * 2, RETRY_MS.last)) {
    signal.throwIfAborted();
    const signed = signatureHeaders({ id: change.id, body, sent_at: new Date(), secrets: [secret] });
    const headers = { ...headersOf(change, source), ...signed };
    const limits = { reach: ANYWHERE, timeout_ms: TIMEOUT_MS, signal };
    const { status, error } = await post({ url, headers, body }, limits);
    if (status !== null && status >= 200 && status < 300) return status;
    signal.throwIfAborted();
    console.error(`${change.sequence}  ${change.type}: ${error ?? `the answer is ${status}`}; retrying`);
    await pause(wait_ms, undefined, { signal });
  }
}

function readTarget(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw new InvalidArgumentError('It must be an address such as http://127.0.0.1:4000/hooks.');
}

function readSecret(text: string): string {
  if (/^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/.test(text)) return text;
  throw new InvalidArgumentError('It must be whsec_ and base64, as listen prints it.');
}
