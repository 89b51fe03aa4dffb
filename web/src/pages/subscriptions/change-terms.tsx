import { useState } from 'preact/hooks';
import { Select, type Values } from '../../components/form.tsx';
import { UnusedTimeField } from './preview.tsx';

/** Choices of a change of plan besides the plan and the time. */
export type ChangeTerms = {
  settle: string | undefined;
  proration: string | undefined;
  cycle: string | undefined;
};

export function changeTermsOf({ settle, proration, cycle }: Values): ChangeTerms {
  return { settle, proration, cycle };
}

/**
 * Choices of how fees in advance pass to the new plan; where they run on to the boundary, there is nothing else to
 * choose.
 */
export function ChangeTermsFields() {
  const [proration, setProration] = useState('exact');
  return (
    <>
      <Select
        name="proration"
        label="Fees in advance"
        hint="Unused time of the old plan’s fees comes back, unless they last until the period ends. Usage goes by the new plan at once, and fees in arrears by exact time."
        value={proration}
        change={setProration}
        options={[
          { value: 'exact', label: 'old and new ones by exact time' },
          { value: 'full', label: 'old ones by exact time, new in full' },
          { value: 'none', label: 'old ones until the period ends' },
        ]}
      />
      {proration !== 'none' && <UnusedTimeField />}
      {proration !== 'none' && (
        <Select
          name="cycle"
          label="Billing dates"
          hint="With a plan of another interval they always start anew."
          options={[
            { value: 'keep', label: 'stay as they are' },
            { value: 'restart', label: 'start anew with the change' },
          ]}
        />
      )}
    </>
  );
}
