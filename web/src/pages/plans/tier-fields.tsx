import type { TargetedKeyboardEvent } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Field, useFieldFault } from '../../components/form.tsx';
import { withItem, withoutItem } from './draft-parts.ts';
import { newTier, type DraftTier } from './price-draft.ts';

type TierFieldsProps = {
  /** The path of the price in the request, as in charges[0] or charges[0].prices[1]. */
  place: string;
  tiers: readonly DraftTier[];
  change: (tiers: readonly DraftTier[]) => void;
};

/** The tiers of a price in rows. Enter in one makes the next, as in a table of figures. */
export function TierFields({ place, tiers, change }: TierFieldsProps) {
  const [newest, setNewest] = useState<number | null>(null);
  const addAt = (index: number) => {
    const tier = newTier();
    setNewest(tier.key);
    change([...tiers.slice(0, index), tier, ...tiers.slice(index)]);
  };
  const last = tiers.length - 1;
  const fault = useFieldFault(`${place}.tiers`);
  return (
    <fieldset name={`${place}.tiers`} class="tiers">
      <legend>Tiers</legend>
      <p class="hint">
        The flat amount of a tier is charged once if usage reaches the tier. Press Enter to add a tier. The
        last tier has no upper limit.
      </p>
      {fault !== null && <p class="field-fault">{fault}</p>}
      {tiers.map((tier, index) => (
        <TierRow
          key={tier.key}
          name={`${place}.tiers[${index}]`}
          number={index + 1}
          tier={tier}
          is_last={index === last}
          takes_focus={tier.key === newest}
          change={(changed) => change(withItem(tiers, index, changed))}
          // Whatever comes after the last tier lies before its end, which it has not.
          addNext={() => addAt(Math.min(index + 1, last))}
          remove={last === 0 ? null : () => change(withoutItem(tiers, index))}
        />
      ))}
      <div class="form-buttons">
        <button type="button" onClick={() => addAt(last)}>
          Add a tier
        </button>
      </div>
    </fieldset>
  );
}

type TierRowProps = {
  name: string;
  number: number;
  tier: DraftTier;
  is_last: boolean;
  takes_focus: boolean;
  change: (tier: DraftTier) => void;
  addNext: () => void;
  remove: (() => void) | null;
};

function TierRow({ name, number, tier, is_last, takes_focus, change, addNext, remove }: TierRowProps) {
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (takes_focus) row.current?.querySelector('input')?.focus();
  }, [takes_focus]);
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLDivElement>) => {
    if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return;
    event.preventDefault();
    addNext();
  };
  return (
    <div class="tier" ref={row} role="group" aria-label={`Tier ${number}`} onKeyDown={onKeyDown}>
      <Field
        name={`${name}.up_to`}
        label="Up to, inclusive"
        keyboard="decimal"
        value={is_last ? 'all above' : tier.up_to}
        is_disabled={is_last}
        change={(up_to) => change({ ...tier, up_to })}
      />
      <Field
        name={`${name}.unit_amount`}
        label="Unit amount"
        keyboard="decimal"
        value={tier.unit_amount}
        change={(unit_amount) => change({ ...tier, unit_amount })}
      />
      <Field
        name={`${name}.flat_amount`}
        label="Flat amount"
        placeholder="none"
        keyboard="decimal"
        value={tier.flat_amount}
        change={(flat_amount) => change({ ...tier, flat_amount })}
      />
      <button type="button" disabled={remove === null} onClick={() => remove?.()}>
        Remove<span class="unseen"> tier {number}</span>
      </button>
    </div>
  );
}
