import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Environment, Home } from '../../api/objects.ts';
import { Badge } from '../../components/badge.tsx';
import { Commands } from '../../components/copy.tsx';
import { Section } from '../../components/page.tsx';
import { useEnvironment } from '../../shell/environment.tsx';
import { May } from '../../shell/session.tsx';
import { commandOf, setUpCommand, useExample } from '../events/first-commands.ts';
import { NewKeyButton } from '../settings/new-key.tsx';
import { InviteFinance, SellerStep } from './live-steps.tsx';

type Step = keyof Home['steps'];

/** `of` is the only environment that has the step. */
const STEPS: readonly { step: Step; title: string; why: string; of?: Environment }[] = [
  {
    step: 'key',
    title: 'Create an API key',
    why: 'Your backend sends the key with every request. This step is done when a key has been used.',
  },
  {
    step: 'customer',
    title: 'Create a customer',
    why: 'You identify the customer by your own id, the external id.',
  },
  {
    step: 'plan',
    title: 'Create a plan',
    why: 'A plan sets the prices of events. You can also create a plan on the page Plans, with a preview.',
  },
  {
    step: 'subscription',
    title: 'Subscribe the customer',
    why: 'Tidemark creates an invoice at the end of every billing period.',
  },
  {
    step: 'event',
    title: 'Send an event',
    why: 'You can safely send the event again with the same idempotency key.',
  },
  {
    step: 'seller',
    title: 'Say who sells',
    why: 'The seller stands on every invoice, with its tax id. An issued invoice does not change any more.',
    of: 'live',
  },
  {
    step: 'finance',
    title: 'Invite your finance',
    why: 'Those who record payments, issue credit notes and close the months have the role Finance.',
    of: 'live',
  },
  {
    step: 'invoice',
    title: 'See the first invoice',
    why: 'It is created automatically when the period ends.',
  },
];

/** The steps of an environment. */
function stepsOf(environment: Environment): typeof STEPS {
  return STEPS.filter(({ of = environment }) => of === environment);
}

/** Whether nothing is left to begin with; who has nobody to invite is done as well. */
export function isStarted(steps: Home['steps'], environment: Environment): boolean {
  return stepsOf(environment).every(({ step }) => steps[step] || step === 'finance');
}

type Props = { home: Home };

/** The way to a first invoice; what is done ticks itself off, and once all is done only a line is left. */
export function GettingStarted({ home }: Props) {
  const { steps } = home;
  const environment = useEnvironment();
  const all = stepsOf(environment);
  const done = all.filter(({ step }) => steps[step]).length;
  const [secret, setSecret] = useState<string | null>(null);
  const list = <StepList home={home} secret={secret} keep={setSecret} />;
  const count = done === all.length ? `all ${done}` : `${done} of ${all.length}`;
  const title = `Getting started: ${count} steps are done`;
  if (!isStarted(steps, environment)) return <Section title={title}>{list}</Section>;
  return (
    <details class="started">
      <summary>{title}</summary>
      {list}
    </details>
  );
}

type StepListProps = Props & { secret: string | null; keep: (secret: string) => void };

function StepList({ home: { steps, seller_lacks }, secret, keep }: StepListProps) {
  const example = useExample(steps);
  const environment = useEnvironment();
  const all = stepsOf(environment);
  const next = all.find(({ step }) => !steps[step])?.step;
  const how = (step: Step): ComponentChildren => {
    if (step === 'key') return <KeyStep secret={secret} keep={keep} />;
    if (step === 'seller') return <SellerStep lacks={seller_lacks} />;
    if (step === 'finance') return <InviteFinance />;
    if (step === 'invoice' && environment === 'live')
      return <p>The invoice is a draft, held for late events. It can still change.</p>;
    if (step === 'invoice') return <ClockStep command={commandOf(step, example)} />;
    return <Commands text={commandOf(step, example)} />;
  };
  return (
    <ol class="steps">
      {all.map(({ step, title, why }) => (
        <li key={step}>
          <details open={step === next}>
            <summary>
              {title} <Badge status={steps[step] ? 'done' : 'to_do'} />
            </summary>
            <p class="faint">{why}</p>
            {how(step)}
          </details>
        </li>
      ))}
    </ol>
  );
}

type KeyStepProps = { secret: string | null; keep: (secret: string) => void };

function KeyStep({ secret, keep }: KeyStepProps) {
  return (
    <>
      <May use="createKey">
        <NewKeyButton created={keep} />
      </May>
      <p>Then set these variables in your shell. The commands below use both.</p>
      <Commands text={setUpCommand(secret)} />
    </>
  );
}

function ClockStep({ command }: { command: string }) {
  return (
    <>
      <p>Test customers can have a test clock. Move it past the end of the period:</p>
      <Commands text={command} />
    </>
  );
}
