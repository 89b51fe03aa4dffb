import type { ComponentChildren } from 'preact';
import { useCallback, useRef } from 'preact/hooks';
import { pathWith, type Query } from '../../api/client.ts';
import type { List, Plan } from '../../api/objects.ts';
import { useLoad } from '../../api/use-load.ts';
import { useName } from '../../api/use-names.ts';
import { Combobox, type Choice } from '../../components/combobox.tsx';
import { Loading } from '../../components/loading.tsx';
import { Empty } from '../../components/notice.tsx';
import { Link } from '../../shell/environment.tsx';
import { May, useClient } from '../../shell/session.tsx';
import { intervalInWords, nameWithVersion } from '../plans/models.ts';

/** Plans that are looked at for those in the currency. */
const LIMIT = '200';

/** The plans that a person may choose from: those in a currency that are not archived. */
type Offer = {
  currency: string;
  /** The id of a plan that is left out. */
  except?: string | undefined;
};

type PlanFieldProps = Offer & {
  /** The external id of a customer, whose custom plans may be chosen too. */
  customer_id?: string;
  name: string;
  label: string;
  hint?: string;
  initial: Plan | undefined;
  /** Receives the plan that was chosen; null once other text is typed, such as a key. */
  change?: (plan: Plan | null) => void;
};

/** A field for a plan, by name, key or id. */
export function PlanField({ currency, except, customer_id, initial, change, ...field }: PlanFieldProps) {
  const client = useClient();
  const plans = useRef(new Map<string, Plan>());
  const find = useCallback(
    async (search: string, signal: AbortSignal) => {
      const listed = async (of: Query) => {
        const path = pathWith('/v1/pricing-plans', { archived: 'false', search, limit: LIMIT, ...of });
        return (await client.get<List<Plan>>(path, signal)).data;
      };
      const own = customer_id === undefined ? [] : await listed({ customer_id });
      const plans_found = [...own, ...(await listed({}))];
      const offered_plans = plans_found.filter((plan) => isOffered(plan, { currency, except }));
      offered_plans.forEach((plan) => plans.current.set(plan.id, plan));
      return offered_plans.map(choiceOf);
    },
    [client, currency, customer_id, except],
  );
  return (
    <Combobox
      {...field}
      initial={initial?.id}
      placeholder="Name, key or id"
      find={find}
      useLabel={() => (initial === undefined ? null : nameWithVersion(initial))}
      change={(choice) => change?.(choice === null ? null : (plans.current.get(choice.value) ?? null))}
    />
  );
}

/**
 * A field that filters a list by any plan, also an archived one. Its value, `plan_id`, is the id, or a key as it was
 * typed.
 */
export function AnyPlanField({ initial }: { initial: string | undefined }) {
  const client = useClient();
  const find = useCallback(
    async (search: string, signal: AbortSignal) => {
      const path = pathWith('/v1/pricing-plans', { search });
      return (await client.get<List<Plan>>(path, signal)).data.map(choiceOf);
    },
    [client],
  );
  return (
    <Combobox
      name="plan_id"
      label="Plan"
      placeholder="Name, key or id"
      initial={initial}
      find={find}
      useLabel={usePlanLabel}
    />
  );
}

function usePlanLabel(id: string): string | null {
  return useName('ids', id) ?? null;
}

type ProposedPlanProps = Offer & {
  /** Title where there is no plan to choose. */
  none: string;
  /** Chooses what a form proposes among the plans that may be chosen, newest first; undefined proposes none. */
  proposed: (offered: readonly Plan[]) => Plan | undefined;
  children: (plan: Plan | undefined) => ComponentChildren;
};

/** Loads the plan that a form proposes; where there is no plan to choose, says so instead of the form. */
export function ProposedPlan({ none, proposed, children, ...offer }: ProposedPlanProps) {
  const loaded = useLoad<List<Plan>>(pathWith('/v1/pricing-plans', { archived: 'false', limit: LIMIT }));
  return (
    <Loading loaded={loaded}>
      {({ data, has_more }) => {
        const offered = data.filter((plan) => isOffered(plan, offer));
        if (offered.length > 0 || has_more) return children(proposed(offered));
        return (
          <Empty title={none}>
            <May use="createPricingPlan">
              <p>
                <Link to="/plans/new">Create a plan</Link> first.
              </p>
            </May>
          </Empty>
        );
      }}
    </Loading>
  );
}

type NextVersionProps = Pick<ProposedPlanProps, 'none' | 'except' | 'children'> & { plan: Plan };

/**
 * Loads what a form proposes in the place of a plan: the newest version of its key, unless that is the plan itself or
 * is archived, and never another plan, whose prices nobody has asked for.
 */
export function NextVersion({ plan: { id, key, currency }, ...rest }: NextVersionProps) {
  // The newest version, not the newest that is offered: an archived one refuses the key.
  const versions = useLoad<List<Plan>>(
    key === null ? null : pathWith('/v1/pricing-plans', { key, limit: '1' }),
  );
  const form = (newest: Plan | undefined) => {
    const is_next = newest !== undefined && newest.id !== id && newest.archived_at === null;
    return <ProposedPlan {...rest} currency={currency} proposed={() => (is_next ? newest : undefined)} />;
  };
  return key === null ? form(undefined) : <Loading loaded={versions}>{({ data }) => form(data[0])}</Loading>;
}

function isOffered(plan: Plan, { currency, except }: Offer): boolean {
  return plan.currency === currency && plan.id !== except;
}

function choiceOf(plan: Plan): Choice {
  const words = plan.customer_id === null ? '' : 'custom, ';
  return { value: plan.id, label: nameWithVersion(plan), details: `${words}${intervalInWords(plan)}` };
}
