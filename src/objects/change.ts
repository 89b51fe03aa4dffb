import { Type, type TSchema } from 'typebox';
import { CHANGE_TYPES, type ChangedObject } from '../domain/change-types.ts';
import { AccountObject } from './account.ts';
import { API_KEY } from './api-key.ts';
import { BalanceEntryObject } from './balance-entry.ts';
import { GrantObject } from './credit-grant.ts';
import { CreditNoteObject } from './credit-note.ts';
import { CustomerObject, DeletedCustomer } from './customer.ts';
import { InvoiceItemObject } from './invoice-item.ts';
import { InvoiceObject } from './invoice.ts';
import { deletedObject, identity, nullable, oneOf, responseObject } from './parts.ts';
import { PaymentObject } from './payment.ts';
import { PlanObject } from './plan.ts';
import { SubscriptionObject } from './subscription.ts';

const DATA =
  'The object as GET answers it when the change is numbered: never older than the change. Null if it is above 256 KB, gone, or redacted since.';

/** A change of one kind of object; `data` has one of these shapes, or is null. */
function changeOf(title: string, object_type: ChangedObject, ...data: TSchema[]) {
  const types = CHANGE_TYPES[object_type].map((type) => `${object_type}.${type}`);
  return responseObject(title, {
    ...identity('change'),
    sequence: Type.Integer({
      description:
        'The number in the feed of the environment, without gaps. Of two changes of an object the greater is the later.',
    }),
    type: oneOf(types),
    object_type: Type.Literal(object_type),
    object_id: Type.String(),
    customer_id: nullable(Type.String({ description: 'The `external_id` of the customer concerned.' })),
    actor: nullable(
      Type.String({ description: 'The key or session whose request did it; null for what workers do.' }),
    ),
    data: { ...Type.Union([...data, Type.Null()]), description: DATA },
  });
}

const { ledger: _, ...GRANT } = GrantObject.properties;

/** A change as clients read it, by its `object_type` (docs/changes.md). */
export const FeedChange = Type.Union(
  [
    changeOf('CustomerChange', 'customer', CustomerObject, DeletedCustomer),
    changeOf('PricingPlanChange', 'pricing_plan', PlanObject),
    changeOf('SubscriptionChange', 'subscription', SubscriptionObject),
    changeOf('InvoiceChange', 'invoice', InvoiceObject),
    changeOf(
      'InvoiceItemChange',
      'invoice_item',
      InvoiceItemObject,
      deletedObject('DeletedInvoiceItem', 'invoice_item'),
    ),
    changeOf('PaymentChange', 'payment', PaymentObject),
    changeOf('CreditNoteChange', 'credit_note', CreditNoteObject),
    changeOf('CreditGrantChange', 'credit_grant', responseObject('ChangedCreditGrant', GRANT)),
    changeOf('BalanceEntryChange', 'balance_entry', BalanceEntryObject),
    changeOf('AccountChange', 'account', AccountObject),
    changeOf('ApiKeyChange', 'api_key', responseObject('ChangedApiKey', API_KEY)),
  ],
  { title: 'FeedChange' },
);
