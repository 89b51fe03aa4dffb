import { MODELS } from '../../src/domain/pricing/definitions.ts';

/** Introduction of the API reference, in Markdown. */
export const INTRODUCTION = `Tidemark is a usage-based billing API. Post usage events as they happen; plans turn the events into charges, and Tidemark creates an invoice for every billing period.

You need six requests to get the first invoice: create a **customer** and a **pricing plan**, create a **subscription** that
joins them, optionally **grant credit**, post **events**, and advance the **test clock** past the end of the period. The examples
below show these requests in order.

### Authentication
Send \`Authorization: Bearer <API_KEY>\`. Test keys (\`tm_sk_test_...\`) and live keys (\`tm_sk_live_...\`) have separate data.
To try requests on this page, press **Authorize** and paste a test key.

### Retries
You can safely retry a request that carries an idempotency key:

- **Events** carry an \`idempotency_key\` in the body. If you send the same event again, the response is the stored event with the
  status 200 and \`Idempotent-Replayed: true\`. A different event with the same key is a 409.
- **Other POST requests, and DELETE requests,** take the header \`Idempotency-Key\`. The response is kept for 24 hours and returned again. A different
  path or body with the same key is a 409.
- After a **500** or a lost connection, the request may or may not have succeeded: retry it with the same key.

### Money and quantities
Amounts are decimal strings in major units, and the currency is a field of its own: \`"12.30"\` in USD is twelve dollars and thirty
cents. Prices have up to 15 decimals. Requests also accept JSON numbers, if they are exact. Only the amounts of credit grants are
numbers.

### Times
Responses use UTC with milliseconds, \`2026-01-31T00:00:00.000Z\`. Requests accept RFC 3339. Without an offset the time is UTC; a
date without a time means midnight. Ranges include \`from\` and exclude \`to\`.

### Lists
Lists are sorted newest first and return \`limit\` objects per page (1 to 200, default 50). If \`has_more\` is true, request the next
page: set \`cursor\` to \`next_cursor\` and keep the same filters.

### Errors
Every response that is not a 2xx has the same form. \`code\` is one of six codes and determines the status; \`details\` lists each
error with its field and a \`reason\`. Unknown members and parameters are rejected. For an optional member, \`null\` means that the
member is omitted.

| status | code | what to do |
|---|---|---|
| 400 | \`invalid_request\` | correct the fields in \`details\` |
| 401 | \`unauthorized\` | check the API key |
| 404 | \`not_found\` | check the ids in the path and in the body |
| 409 | \`conflict\` | check the current state; if the response has \`Retry-After\`, wait and retry |
| 429 | \`rate_limited\` | wait \`Retry-After\` seconds, then retry |
| 500 | \`internal_error\` | retry with the same idempotency key |

If you contact us about a request, include its \`X-Request-Id\`.

### Test clock
A test customer uses the real time until the first \`POST /v1/test-clock/advance\`. After that, the customer's time changes only when
you advance it. Each advance bills every period that has ended by the new time, as in production, so a year of invoices takes
seconds.`;

const MODEL_NAMES = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(
  Object.values(MODELS).map(({ name }) => name.toLowerCase()),
);

/** Description of each tag; a tag groups operations in the reference. */
export const TAGS: Readonly<Record<string, string>> = {
  Events:
    'The usage of your customers. After a 2xx response the event is stored permanently; each `idempotency_key` counts once, without a time limit.',
  Customers:
    'The customers that you bill. Wherever a `customer_id` is expected, your `external_id` or our `cus_` id works.',
  'Pricing plans': `The prices of usage: charges with the pricing model ${MODEL_NAMES}.`,
  Subscriptions: 'A subscription bills a customer by a plan, from its start until it is canceled.',
  'Plan migrations': 'Each moves all subscribers of a plan to another plan, one change of plan for each.',
  Discounts:
    'A percent off the lines of a customer, for every full period that begins before its end and ends after its start.',
  Invoices:
    'The cost of a billing period, line by line. An issued invoice is never edited: void or regenerate it instead.',
  'Credit notes':
    'Take back all or part of an issued invoice, in money. The invoice itself does not change; what was paid for it goes to the balance.',
  'Invoice items':
    'Amounts that a person puts on the next invoice of a subscription, such as a setup fee, hours of work, or a rebate.',
  Transfers:
    "Money that a customer paid at once: payments of several invoices, recorded and reversed together, and the rows of a bank's file.",
  Balance:
    'Money that a customer has in advance. An invoice takes from it when it is issued; the void of the invoice gives it back.',
  'Credit grants':
    'Units of usage paid in advance. Credit covers usage before usage is charged; the grant that expires first is used first.',
  Search: 'Finds an object by what a person knows of it.',
  Changes: 'What has happened to your objects, in order and without a gap.',
  Webhooks:
    'Changes posted to an address of yours, signed, in the order of each object, and tried again until they arrive.',
  Collections:
    'What customers owe as a statement, open invoices that are overdue or paused, and pauses, in which nothing reminds or charges by itself.',
  Emails:
    'Messages that bring documents to their payers, and the fate of each; texts of your own in six languages.',
  'Payment providers':
    'The account with which customers are charged: Stripe. Its secrets are stored encrypted, and no response has them.',
  Charges: 'Attempts to charge invoices with the payment methods of customers.',
  'Payment sessions': 'Pages of the payment provider on which payers pay what is due on an invoice.',
  'Payment methods':
    'Cards and debits that customers have saved at the payment provider. Tidemark never sees their numbers.',
  'Portal sessions':
    'Links by which a customer reads its own documents and usage, on a page that your site may frame, and by requests with the token of the link.',
  Account:
    'The seller on your documents, and the defaults of customers and plans; test and live data have settings of their own.',
  'Audit log': 'What was done to your objects, by whom and from where; nobody can change it.',
  'Test clock': 'Moves the time of a test customer forward. Live keys have no test clock.',
};
