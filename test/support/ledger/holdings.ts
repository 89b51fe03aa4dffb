import { at, FLAT, PER_UNIT, testCustomersOn } from './test-customer.ts';

/** Ids of all that a customer has; `drafts` are of no payer. */
export type Holdings = { ids: Record<string, string>; drafts: string[] };

type Actions = ReturnType<typeof testCustomersOn>;

/** A customer with an invoice, which is paid in part and credited, a void one, a draft, and a draft that is void. */
export async function holdingsOf(
  { advance, customer, done, grant, plan, read, subscribe, use }: Actions,
  key: string,
): Promise<Holdings> {
  const external_id = await customer({ name: `Customer ${key}`, metadata: { note: 'pays late' } });
  const plan_id = await plan([FLAT, PER_UNIT], { key, metadata: { margin: '0.4' } });
  const { id: subscription } = await subscribe(external_id, plan_id);
  await use(external_id, [{ timestamp: at('01-01T12:00') }]);
  const { id: credit_grant } = await grant(external_id, 10, { rollover: true, note: 'to keep them' });
  const [invoice] = await advance(external_id, at('02-01'));
  const paid = { amount: '5.00', reference: 'SEPA 1' };
  const { id: payment } = await done(`/v1/invoices/${invoice.id}/payments`, paid);
  await done(`/v1/payments/${payment}/reverse`, { reason: 'wrong customer' });
  await done(`/v1/invoices/${invoice.id}/payments`, { amount: '1.00', reference: 'SEPA 2' });
  const { line_items } = invoice;
  const lines = [{ line_item_id: line_items[0].id, amount: '2.00' }];
  const notes = [];
  for (let i = 0; i < 2; i++)
    notes.push(await done(`/v1/invoices/${invoice.id}/credit-notes`, { lines, reason: 'Outage' }));
  await done(`/v1/credit-notes/${notes[1].id}/void`, { reason: 'too generous' });
  const [void_invoice] = await advance(external_id, at('03-01'));
  await done(`/v1/invoices/${void_invoice.id}/void`, { reason: 'angry customer' });
  const [void_draft] = await advance(external_id, at('04-01'), { hold_drafts: true });
  await done(`/v1/invoices/${void_draft.id}/void`);
  const [draft] = await advance(external_id, at('05-01'), { hold_drafts: true });
  const { id: customer_id } = await read(`/v1/customers/${external_id}`);
  return {
    ids: {
      ...{
        customer: customer_id,
        external_id,
        subscription,
        invoice: invoice.id,
        void_invoice: void_invoice.id,
      },
      ...{ payment, credit_note: notes[0].id, void_note: notes[1].id, credit_grant, plan: plan_id, key },
      ...{ line: line_items.at(-1).id, draft_line: draft.line_items[0].id },
    },
    drafts: [draft.id, void_draft.id],
  };
}
