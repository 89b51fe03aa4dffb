import { useRoute } from 'preact-iso/router';
import type { PlanMigration } from '../../api/objects.ts';
import { useLoad } from '../../api/use-load.ts';
import { usePolling } from '../../api/use-polling.ts';
import { QuestionButton } from '../../components/action-button.tsx';
import { Badge } from '../../components/badge.tsx';
import { Definitions } from '../../components/definitions.tsx';
import { Loading } from '../../components/loading.tsx';
import { Page } from '../../components/page.tsx';
import { Code, Day, Quantity, words } from '../../components/values.tsx';
import { Link } from '../../shell/environment.tsx';
import { May, useClient } from '../../shell/session.tsx';
import { PlanLink } from '../parts/links.tsx';
import { FromPlan } from './from-plan.tsx';
import { Outcomes } from './outcomes.tsx';

const POLLING_MS = 2000;

/** A plan migration: how far it is, and what became of each subscription. */
export function PlanMigrationPage() {
  const { id = '' } = useRoute().params;
  const path = `/v1/plan-migrations/${encodeURIComponent(id)}`;
  const loaded = useLoad<PlanMigration>(path);
  usePolling(loaded, POLLING_MS, loaded.value !== null && loaded.value.finished_at === null);
  return (
    <Page
      title="Plan migration"
      actions={
        <>
          {loaded.value !== null && (
            <May use="stopPlanMigration">
              <Actions migration={loaded.value} path={path} reload={loaded.reload} />
            </May>
          )}
          <Link to="/plan-migrations">All plan migrations</Link>
        </>
      }
    >
      <Loading loaded={loaded}>
        {(migration) => (
          <>
            <Progress migration={migration} />
            <Facts migration={migration} />
            <Outcomes path={path} finished_at={migration.finished_at} />
          </>
        )}
      </Loading>
    </Page>
  );
}

function Progress({ migration }: { migration: PlanMigration }) {
  const { total, changed, skipped, failed, taken_back, status, finished_at } = migration;
  if (finished_at !== null) return null;
  if (status === 'taken_back')
    return (
      <p role="status">
        Changes that are still scheduled are being taken back: <Quantity value={taken_back} /> so far.
      </p>
    );
  return (
    <p role="status">
      <Quantity value={changed + skipped + failed} /> of <Quantity value={total} /> subscriptions so far.
    </p>
  );
}

function Facts({ migration }: { migration: PlanMigration }) {
  const { id, status, from_plan_id, to_plan_id, at, custom, total, created_at, finished_at } = migration;
  const { changed, skipped, failed, taken_back } = migration;
  return (
    <Definitions
      entries={[
        ['Status', <Badge status={status} />],
        ['From', <FromPlan name={from_plan_id} />],
        ['To', <PlanLink id={to_plan_id} />],
        ['At', words(at)],
        ['Custom plans', custom ? 'based on the new plan' : 'stay as they are'],
        ['Subscriptions', <Quantity value={total} />],
        ['Changed', <Quantity value={changed} />],
        ['Skipped', <Quantity value={skipped} />],
        ['Failed', <Quantity value={failed} />],
        ['Taken back', <Quantity value={taken_back} />],
        ['Created', <Day at={created_at} />],
        ['Finished', finished_at && <Day at={finished_at} />],
        ['Id', <Code>{id}</Code>],
      ]}
    />
  );
}

type ActionsProps = { migration: PlanMigration; path: string; reload: () => void };

function Actions({ migration: { status }, path, reload }: ActionsProps) {
  const client = useClient();
  const post = async (action: string) => {
    await client.post(`${path}/${action}`);
    reload();
  };
  return (
    <>
      {status === 'running' && (
        <QuestionButton label="Stop" question="Stop this migration?" perform={() => post('stop')}>
          <p>What is changed stays. To go on, move the subscribers of the plan once more.</p>
        </QuestionButton>
      )}
      {status !== 'taken_back' && (
        <QuestionButton
          label="Take back"
          question="Take this migration back?"
          perform={() => post('take-back')}
        >
          <p>
            The changes of this migration that are still scheduled are taken back. A change that has come
            stays.
          </p>
        </QuestionButton>
      )}
    </>
  );
}
