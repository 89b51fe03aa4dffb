import { useState } from 'preact/hooks';
import { faultAt } from '../../api/fault.ts';
import type { Subscription } from '../../api/objects.ts';
import { Field, Select, type Values } from '../../components/form.tsx';

const ON_A_DAY = 'day';

/** The choice of a time: the first one that is offered, until a person chooses another. */
export function useTime(first: 'period_end' | 'now' | 'day') {
  const [when, setWhen] = useState<string>(first);
  /** The time as a request has it; `name` is that of the field of a day. */
  const timeOf = (values: Values, name: string) => {
    if (when !== ON_A_DAY) return when;
    // The server's message would also name the times of the select.
    if (!values[name]) throw faultAt(name, 'missing', `${name} is missing; choose a day`);
    return values[name];
  };
  return { when, setWhen, timeOf };
}

type Props = {
  /** The name of the field of a day in the request. */
  name: string;
  label: string;
  hint?: string;
  options: readonly { value: string; label: string }[];
  /** The owner of the time zone in which a day begins. */
  of?: 'subscription' | 'customer';
  time: ReturnType<typeof useTime>;
};

/** A choice of times, with a field for a day. */
export function TimeFields(props: Props) {
  const { name, label, hint, options, of = 'subscription' } = props;
  const { when, setWhen } = props.time;
  return (
    <>
      <Select
        name="when"
        label={label}
        hint={hint}
        value={when}
        change={setWhen}
        options={[...options, { value: ON_A_DAY, label: 'a day' }]}
      />
      {when === ON_A_DAY && (
        <Field name={name} label="Day" type="date" hint={`It begins in the time zone of the ${of}.`} />
      )}
    </>
  );
}

/** The times that need no date. */
export function namedTimes({ status }: Subscription) {
  const end = { pending: 'the start date', trialing: 'the end of the trial' };
  const label = status === 'pending' || status === 'trialing' ? end[status] : 'the end of the current period';
  return [
    { value: 'period_end', label },
    { value: 'now', label: 'now' },
  ];
}
