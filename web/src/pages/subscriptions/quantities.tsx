import { pathWith } from '../../api/client.ts';
import type { Plan, Subscription } from '../../api/objects.ts';
import { QuestionButton } from '../../components/action-button.tsx';
import { Section } from '../../components/page.tsx';
import { Table, type Column } from '../../components/table.tsx';
import { DayOrTime, Quantity } from '../../components/values.tsx';
import { May, useClient } from '../../shell/session.tsx';
import { ChangeQuantitiesButton } from './change-quantities.tsx';
import { quantityFeesOf, quantityInWords } from './quantity-fields.tsx';

type Props = { subscription: Subscription; plan: Plan | null; reload: () => void };

type Row = { at: string | null; name: string; quantity: string };

/** The quantities of a subscription, now and to come; nothing for one without. */
export function Quantities({ subscription, plan, reload }: Props) {
  const rows = rowsOf(subscription);
  if (rows.length === 0) return null;
  const may_change = subscription.status !== 'canceled' && plan !== null && quantityFeesOf(plan).length > 0;
  const actions = may_change && (
    <May use="changeQuantities">
      <ChangeQuantitiesButton subscription={subscription} plan={plan} reload={reload} />
    </May>
  );
  return (
    <Section title="Quantities" actions={actions}>
      <Table
        caption="Quantities, now and to come"
        keyOf={({ at, name }) => `${at} ${name}`}
        items={rows}
        columns={columns({ subscription, plan, reload })}
      />
    </Section>
  );
}

function rowsOf({ quantities, pending_quantities }: Subscription): Row[] {
  const rows = (at: string | null, values: Readonly<Record<string, string>>) =>
    Object.entries(values).map(([name, quantity]) => ({ at, name, quantity }));
  return [
    ...rows(null, quantities),
    ...pending_quantities.flatMap(({ at, quantities: values }) => rows(at, values)),
  ];
}

function columns({ subscription, plan, reload }: Props): Column<Row>[] {
  const { timezone } = subscription;
  return [
    { title: 'Of', show: ({ name }) => <span class="cut">{quantityInWords(plan, name)}</span> },
    { title: 'Quantity', show: ({ quantity }) => <Quantity value={quantity} />, is_number: true },
    {
      title: 'From',
      show: ({ at }) => (at === null ? 'now' : <DayOrTime at={at} timezone={timezone} />),
    },
    {
      title: 'Action',
      show: ({ at }) =>
        at !== null && (
          <May use="takeBackQuantities">
            <TakeBack subscription={subscription} at={at} reload={reload} />
          </May>
        ),
    },
  ];
}

function TakeBack({ subscription, at, reload }: Omit<Props, 'plan'> & { at: string }) {
  const client = useClient();
  const takeBack = async () => {
    await client.delete(pathWith(`/v1/subscriptions/${subscription.id}/quantities`, { at }));
    reload();
  };
  return (
    <QuestionButton label="Take back" question="Take back these quantities?" perform={takeBack}>
      <p>
        All quantities that are scheduled for <DayOrTime at={at} timezone={subscription.timezone} /> are taken
        back: those before them go on.
      </p>
    </QuestionButton>
  );
}
