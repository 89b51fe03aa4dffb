import type { ComponentChildren } from 'preact';
import { negated } from '../../../../src/domain/money/figures.ts';
import type { Plan, PlanChangePreview, UpcomingInvoice } from '../../api/objects.ts';
import { useLoad } from '../../api/use-load.ts';
import { Definitions } from '../../components/definitions.tsx';
import { DocumentNumber } from '../../components/name.tsx';
import { Section } from '../../components/page.tsx';
import { DayOrTime, Money, Period } from '../../components/values.tsx';
import { PlanLink } from '../parts/links.tsx';
import { intervalInWords } from '../plans/models.ts';
import type { ChangeTerms } from './change-terms.tsx';
import { Bill, Confirmation } from './preview.tsx';

export type ChangeRequest = ChangeTerms & { plan_id: string; at: string; take_back_grants: boolean };

type Entry = [name: string, value: ComponentChildren];
type Props = {
  request: ChangeRequest;
  preview: PlanChangePreview;
  change: () => Promise<void>;
  back: () => void;
};

/** Shows on top what is due with a change and what from then on, and below the bills that say why. */
export function PreviewedChange({ request, preview, change, back }: Props) {
  const { closing, opening, upcoming } = preview;
  return (
    <div class="stack">
      <Confirmation label="Change plan" kind="primary" perform={change} back={back}>
        <div class="columns">
          <Due request={request} preview={preview} />
          <FromThenOn upcoming={upcoming} />
        </div>
      </Confirmation>
      <div class="columns bills">
        {closing !== null && <Bill bill={closing} title="Closing invoice, by the old plan" />}
        {opening !== null && <Bill bill={opening} title="Fees in advance, as the new plan begins" />}
        {upcoming !== null && <Bill bill={upcoming} title="By the new plan, as far as is known" />}
      </div>
    </div>
  );
}

const SETTLED: Readonly<Record<string, string>> = {
  balance: 'More is credited than billed: the rest takes off what is due, or goes to the balance.',
  outside:
    'More is credited than billed: the rest takes off what is due, or is paid back outside of Tidemark.',
};

/** Shows what is billed and credited with the change itself; the API adds it up. */
function Due({ request: { at, settle }, preview }: Pick<Props, 'request' | 'preview'>) {
  const { closing, opening, upcoming, credit_notes, due } = preview;
  const bill = closing ?? opening ?? upcoming;
  const currency = bill?.currency ?? credit_notes[0]?.currency ?? '';
  const changes_at = closing?.period_end ?? upcoming?.period_start ?? null;
  const parts: Entry[] = [
    ...totalOf('Closing invoice', closing),
    ...totalOf('Fees in advance of the new plan', opening),
    ...credit_notes.map((note): Entry => [
      'Credited',
      <>
        <Money amount={negated(note.total)} currency={currency} /> on <DocumentNumber id={note.invoice_id} />
      </>,
    ]),
  ];
  return (
    <Section title={at === 'now' ? 'Due now' : 'Due with the change'}>
      <p class="due">
        <Money amount={due} currency={currency} />
      </p>
      <Definitions
        entries={[
          ...(bill === null || changes_at === null
            ? []
            : [['Changes on', <DayOrTime at={changes_at} timezone={bill.timezone} />] satisfies Entry]),
          ...parts,
        ]}
      />
      {closing === null && <p class="hint">No period ends: the new plan takes the place of the old one.</p>}
      {due.startsWith('-') && <p class="hint">{SETTLED[settle ?? 'balance']}</p>}
    </Section>
  );
}

function totalOf(name: string, bill: UpcomingInvoice | null): Entry[] {
  return bill === null ? [] : [[name, <Money amount={bill.total} currency={bill.currency} />]];
}

/** The fees of the new plan a period, and the next invoice. */
function FromThenOn({ upcoming }: { upcoming: UpcomingInvoice | null }) {
  const plan = useLoad<Plan>(upcoming === null ? null : `/v1/pricing-plans/${upcoming.plan_id}`).value;
  return (
    <Section title="From then on">
      {upcoming === null && <p>The subscription ends by then: no invoice follows.</p>}
      {upcoming !== null && plan !== null && <Fees plan={plan} />}
      {upcoming !== null && (
        <Definitions
          entries={[
            ['Plan', <PlanLink id={upcoming.plan_id} />],
            ...minimumOf(plan),
            ...usageOf(plan),
            [
              'Next invoice',
              <>
                <Money amount={upcoming.total} currency={upcoming.currency} /> as far as is known, for{' '}
                <Period from={upcoming.period_start} to={upcoming.period_end} timezone={upcoming.timezone} />
              </>,
            ],
          ]}
        />
      )}
    </Section>
  );
}

/** The least that a period costs by a plan with a minimum. */
function minimumOf(plan: Plan | null): Entry[] {
  if (plan === null || plan.minimum_amount === null) return [];
  const { minimum_amount, currency } = plan;
  return [
    [
      'At least',
      <>
        <Money amount={minimum_amount} currency={currency} /> {intervalInWords(plan)}
      </>,
    ],
  ];
}

/** That usage is billed as well, by a plan with charges besides its fees. */
function usageOf(plan: Plan | null): Entry[] {
  const has_usage = plan !== null && feesOf(plan).length < plan.charges.length;
  return has_usage ? [['Usage', 'by the prices of the plan']] : [];
}

/** The fees of a plan. */
function feesOf({ charges }: Plan) {
  return charges.flatMap((charge) => (charge.pricing_model === 'flat' ? [charge] : []));
}

/** "199.00 USD each month", a line for each fee; a plan without fees has usage alone. */
function Fees({ plan }: { plan: Plan }) {
  const fees = feesOf(plan);
  if (fees.length === 0) return <p class="due">No fee</p>;
  return (
    <>
      {fees.map(({ id, flat_amount, name }) => (
        <p class="due" key={id}>
          <Money amount={flat_amount} currency={plan.currency} />{' '}
          <span class="unit">
            {intervalInWords(plan)}
            {fees.length > 1 && name !== null && `, ${name}`}
          </span>
        </p>
      ))}
    </>
  );
}
