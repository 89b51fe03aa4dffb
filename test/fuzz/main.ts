import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { stopEverything } from '../support/servers/at-end.ts';
import { aFolder } from '../support/servers/folder.ts';
import { assertSound } from '../support/ledger/sound.ts';
import { startStack, type Stack } from '../support/servers/stack.ts';
import { reference } from '../support/sources/shown-examples.ts';
import { STORY, storyOn } from '../support/sources/story.ts';
import { aStripe, type StripeStandIn } from '../support/servers/stripe-stand-in.ts';
import { temporalAddress } from '../support/servers/temporal.ts';
import { withRealIds } from './document.ts';
import { run } from '../support/servers/python.ts';
import { findSchemathesis } from './schemathesis.ts';

/**
 * `npm run fuzz -- --seed S --examples N`: valid and invalid requests generated from the reference, sent to a stack of its own; with
 * `--paths REGEX` those of the routes that fit. No response may be a 5xx or undocumented, invalid requests must be refused, and all
 * invariants must hold afterwards. Valid requests may be refused: the reference cannot express every rule, for example that a clock never
 * goes back.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    examples: { type: 'string', default: '30' },
    paths: { type: 'string' },
  },
});

const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
  'negative_data_rejection',
];

async function fuzz(stack: Stack, stripe: StripeStandIn): Promise<number> {
  const schemathesis = await findSchemathesis();
  const { tell, exampleMatcher } = storyOn(
    () => stack,
    () => stripe,
  );
  for (const name of STORY) await tell(name);
  const folder = await aFolder();
  const file = join(folder, 'openapi.json');
  const document = withRealIds(exampleMatcher.toReal(reference), exampleMatcher.realIds());
  writeFileSync(file, JSON.stringify(document));
  const args = ['run', file, '--url', stack.api_url, '--header', `Authorization: Bearer ${stack.test_key}`];
  args.push('--checks', CHECKS.join(','), '--seed', values.seed, '--max-examples', values.examples);
  if (values.paths !== undefined) args.push('--include-path-regex', values.paths);
  args.push('--continue-on-failure', '--warnings', 'off', '--request-timeout', '70');
  return run(schemathesis, args, folder);
}

const stops: (() => Promise<void>)[] = [];
try {
  const stripe = await aStripe();
  const settings = { TEMPORAL_ADDRESS: await temporalAddress(), STRIPE_API_URL: stripe.url };
  const stack = await startStack(settings, stops);
  process.exitCode = await fuzz(stack, stripe);
  await assertSound(stack.pool);
} finally {
  for (let stop = stops.pop(); stop !== undefined; stop = stops.pop()) await stop();
  await stopEverything();
}
