import type { Plan } from '../../api/objects.ts';
import { usePagesWithin } from '../../api/use-pages.ts';
import { ActionButton, QuestionButton } from '../../components/action-button.tsx';
import { Badge } from '../../components/badge.tsx';
import { Empty } from '../../components/notice.tsx';
import { Section } from '../../components/page.tsx';
import { PagedTable, type Column } from '../../components/table.tsx';
import { Day, Money } from '../../components/values.tsx';
import { Link } from '../../shell/environment.tsx';
import { useClient } from '../../shell/session.tsx';

const MINIMUM: Column<Plan> = {
  title: 'Minimum',
  show: ({ minimum_amount, currency }) =>
    minimum_amount === null ? '–' : <Money amount={minimum_amount} currency={currency} />,
  is_number: true,
};

/** The versions of the key of a plan. */
export function Versions({ plan: { id: shown_id }, plan_key }: { plan: Plan; plan_key: string }) {
  const pages = usePagesWithin<Plan>('/v1/pricing-plans', { key: plan_key });
  const has_minimum = pages.loaded.value?.data.some(({ minimum_amount }) => minimum_amount !== null) === true;
  return (
    <Section title="Versions">
      <p class="lead">
        The key <code>{plan_key}</code> names the newest version. Subscriptions keep the version that they
        have.
      </p>
      <PagedTable
        caption="Versions, newest first"
        pages={pages}
        keyOf={({ id }) => id}
        columns={[
          {
            title: 'Version',
            show: ({ id, version }) => (
              <Link to={`/plans/${id}`} is_here={id === shown_id}>{`Version ${version}`}</Link>
            ),
          },
          { title: 'Name', show: ({ name }) => <span class="cut">{name}</span> },
          ...(has_minimum ? [MINIMUM] : []),
          { title: 'Created', show: ({ created_at }) => <Day at={created_at} /> },
          {
            title: 'Status',
            show: ({ archived_at }) => (archived_at === null ? '–' : <Badge status="archived" />),
          },
        ]}
        empty={<Empty title="No version" />}
      />
    </Section>
  );
}

/** A button that archives the plan, or takes that back. */
export function ArchiveButton({ plan, reload }: { plan: Plan; reload: () => void }) {
  const client = useClient();
  const path = `/v1/pricing-plans/${plan.id}/archive`;
  if (plan.archived_at !== null) {
    const takeBack = async () => {
      await client.delete(path);
      reload();
    };
    return <ActionButton label="Take back from the archive" perform={takeBack} />;
  }
  const archive = async () => {
    await client.post(path, {});
    reload();
  };
  return (
    <QuestionButton label="Archive" kind="plain" question={`Archive ${plan.name}?`} perform={archive}>
      <p>
        No subscription begins with the plan or changes to it any more. Subscriptions that have it keep it.
        You can take this back.
      </p>
      {plan.key !== null && (
        <p>
          If this is the newest version of the key {plan.key}, the key is refused too, until there is a newer
          one.
        </p>
      )}
    </QuestionButton>
  );
}
