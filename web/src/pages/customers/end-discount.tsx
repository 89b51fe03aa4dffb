import type { Discount } from '../../api/objects.ts';
import { DialogButton } from '../../components/dialog-button.tsx';
import { Form, type Values } from '../../components/form.tsx';
import { useClient } from '../../shell/session.tsx';
import { TimeFields, useTime } from '../subscriptions/time-fields.tsx';

type Props = { discount: Discount; changed: () => void };

/** A dialog that ends a discount, or puts its end earlier. */
export function EndDiscount(props: Props) {
  return (
    <DialogButton label="End" title={`End the discount “${props.discount.name}”`}>
      {(close) => <End {...props} close={close} />}
    </DialogButton>
  );
}

function End({ discount: { id, from }, changed, close }: Props & { close: () => void }) {
  const client = useClient();
  const time = useTime('now');
  const end = async (values: Values) => {
    const until = time.timeOf(values, 'until');
    await client.post(`/v1/discounts/${id}/end`, until === 'now' ? {} : { until });
    close();
    changed();
  };
  const options = [
    { value: 'now', label: 'now' },
    { value: from, label: 'at its start: it then never holds' },
  ];
  return (
    <Form
      submit_label="End discount"
      kind="danger"
      submit={end}
      shape={time.when}
      beside={
        <button type="button" onClick={close}>
          Cancel
        </button>
      }
    >
      <p>
        It still holds for all of the billing period in which it ends, and what was billed stays. A new
        discount is needed to undo this.
      </p>
      <TimeFields name="until" label="Ends" options={options} of="customer" time={time} />
    </Form>
  );
}
