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

/** Choices of how fees in advance pass to the new plan; where they run on to the boundary, there is nothing else to choose. */
export function ChangeTermsFields() {
  const [proration, setProration] = useState('exact');
  return (
    <>
      <Select
        name="proration"
        label="Fees in advance"
        hint="Usage goes by the new plan at once, and fees in arrears by exact time."
        value={proration}
        change={setProration}
        options={[
          { value: 'exact', label: 'by exact time: the rest of the old one back, the new one for the rest' },
          { value: 'full', label: 'the rest of the old one back, the new one in full' },
          { value: 'none', label: 'the old one until the boundary, the new one from there' },
        ]}
      />
      {proration !== 'none' && <UnusedTimeField />}
      {proration !== 'none' && (
        <Select
          name="cycle"
          label="Cycle"
          hint="A plan of another interval always begins a new cycle."
          options={[
            { value: 'keep', label: 'keeps its boundaries' },
            { value: 'restart', label: 'begins anew with the change' },
          ]}
        />
      )}
    </>
  );
}
