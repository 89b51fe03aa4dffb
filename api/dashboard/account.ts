import { Type } from 'typebox';
import { findAccount, lockAccount, updateAccount } from '../../src/db/account/accounts.ts';
import { route } from '../routing/route.ts';
import { Currency, Name, orNull, Percent } from '../schema/schemas.ts';
import {
  ResponseDecimal,
  ResponseInstant,
  responseObject,
  exactly,
  nullable,
} from '../../src/objects/parts.ts';

const AccountObject = responseObject('Account', {
  id: Type.String(),
  object: Type.Literal('account'),
  created_at: ResponseInstant,
  name: Type.String(),
  currency: Type.String(),
  tax_rate: ResponseDecimal,
  address: nullable(Type.String()),
  invoice_footer: nullable(Type.String()),
});

/** Text in one or more lines, printed on invoices. */
const Lines = Type.String({
  minLength: 1,
  maxLength: 1000,
  pattern: '^(?=.*\\S)[^\\p{Cc}]*(\\n[^\\p{Cc}]*)*$',
  'x-fault': 'must not be blank or contain control characters',
});

const COMMON = { tag: 'Dashboard', path: '/dashboard/api/account', session_only: true } as const;

const read = route({
  ...COMMON,
  method: 'get',
  operation_id: 'getAccount',
  summary: 'Get the account data that invoices show',
  responses: { 200: AccountObject },
  handle: async ({ db, caller }) => ({ status: 200, body: await findAccount(db, caller.environment_id) }),
});

const patch = route({
  ...COMMON,
  method: 'patch',
  operation_id: 'updateAccount',
  summary: 'Update the account for future customers, plans and invoices; null removes a value',
  body: exactly({
    name: Type.Optional(Name),
    currency: Type.Optional(Currency),
    tax_rate: Type.Optional(Percent),
    address: Type.Optional(orNull(Lines)),
    invoice_footer: Type.Optional(orNull(Lines)),
  }),
  responses: { 200: AccountObject },
  handle: async ({ db, caller, body }) => {
    await lockAccount(db, caller.environment_id);
    const { name, currency, tax_rate, address, invoice_footer } = await findAccount(
      db,
      caller.environment_id,
    );
    const account = { name, currency, tax_rate, address, invoice_footer, ...body };
    await updateAccount(db, caller.environment_id, account);
    return { status: 200, body: await findAccount(db, caller.environment_id) };
  },
});

export const accountRoutes = [read, patch];
