import type { Plan, PlanPreview } from '../../api/objects.ts';
import { grouped } from '../../components/grouped.ts';
import { Section } from '../../components/page.tsx';
import { Table, type Column } from '../../components/table.tsx';
import { words } from '../../components/values.tsx';
import { Confirmation } from '../subscriptions/preview.tsx';

type PreviewProps = {
  base: Plan;
  preview: PlanPreview;
  /** A change of a subscription to the plan is next. */
  is_for_subscription: boolean;
  create: () => Promise<void>;
  back: () => void;
};

/** The fields in which a custom plan differs from its base, from which it is created. */
export function CustomPlanPreview({ base, preview, is_for_subscription, create, back }: PreviewProps) {
  const { changes, has_more } = preview;
  return (
    <Section title="Preview">
      <Confirmation label="Create custom plan" kind="primary" perform={create} back={back}>
        {changes.length === 0 ? (
          <p>Nothing differs from {base.name}.</p>
        ) : (
          <Table
            caption={`Differences from ${base.name}`}
            keyOf={({ field }) => field}
            items={changes}
            columns={columns(base)}
          />
        )}
        {has_more && <p class="faint">More fields differ.</p>}
        <p>
          {is_for_subscription
            ? 'The plan cannot be changed after it is created. Then choose from when the subscription has it.'
            : 'The plan cannot be changed after it is created. Subscriptions of its customer alone may have it.'}
        </p>
      </Confirmation>
    </Section>
  );
}

type Change = PlanPreview['changes'][number];

function columns(base: Plan): Column<Change>[] {
  return [
    { title: 'Field', show: ({ field }) => <span class="wide-text">{fieldInWords(field, base)}</span> },
    { title: 'Base', show: ({ current }) => <Value text={current} />, is_number: true },
    { title: 'Custom', show: ({ proposed }) => <Value text={proposed} />, is_number: true },
  ];
}

function Value({ text }: { text: string | null }) {
  if (text === null) return <>–</>;
  return <span class="wide-text">{/^-?\d+(\.\d+)?$/.test(text) ? grouped(text) : text}</span>;
}

/** "API calls: unit amount", "minimum amount". */
function fieldInWords(field: string, { charges }: Plan): string {
  const [, place, of_charge] = /^charges\[(\d+)\]\.(.+)$/.exec(field) ?? [];
  const charge = place === undefined ? undefined : charges[Number(place)];
  if (charge === undefined || of_charge === undefined) return words(field);
  return `${charge.name ?? charge.event_name}: ${words(of_charge)}`;
}
