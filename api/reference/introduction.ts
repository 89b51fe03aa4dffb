/** Introduction of the API reference, in Markdown. */
export const INTRODUCTION = `Usage-based billing. Post usage events as they happen; plans turn them into charges, and every period ends in an invoice.

The first invoice takes six requests: create a **customer** and a **pricing plan**, join them in a **subscription**, perhaps
**grant credit**, post **events**, and move the **test clock** past the end of the period. The examples below tell that story.

### Authentication
Send \`Authorization: Bearer <API_KEY>\`. Test keys (\`tm_sk_test_...\`) and live keys (\`tm_sk_live_...\`) see different data, which
never meets. To try requests from this page, press **Authorize** and paste a test key.

### Sending a request again
A request that carries a key may be sent again without harm:

- **Events** carry their own \`idempotency_key\`. An equal event is answered with the stored one, 200 and
  \`Idempotent-Replayed: true\`; a different event with the same key is a 409.
- **Other POSTs** take a header \`Idempotency-Key\`. Their answer is kept for 24 hours and given again; another path or body with the
  same key is a 409.
- After a **500** or a broken connection nobody knows whether it happened: send it again, with the same key.

### Money and quantities
Amounts are decimal strings in major units with their currency beside them: \`"12.30"\` USD is twelve dollars and thirty cents.
Prices have up to 15 decimals. Requests also take JSON numbers that are exact. Only the amounts of credit grants are numbers.

### Times
Answers have UTC with milliseconds, \`2026-01-31T00:00:00.000Z\`. Requests take RFC 3339; a missing offset is UTC, a date alone
midnight. Ranges include \`from\` and exclude \`to\`.

### Lists
Newest first, \`limit\` objects a page (1 to 200, default 50). Where \`has_more\` is true, ask again with \`cursor\` set to
\`next_cursor\` and the same filters.

### Errors
Every answer that is not a 2xx has one form. \`code\` is one of six and belongs to the status; \`details\` names each fault by its
field and a \`reason\`. Members and parameters that are not listed here are refused; \`null\` for an optional member is the same as
leaving it out.

| status | code | what to do |
|---|---|---|
| 400 | \`invalid_request\` | mend what \`details\` names |
| 401 | \`unauthorized\` | check the key |
| 404 | \`not_found\` | check the id, also those in the body |
| 409 | \`conflict\` | look at the present state; with \`Retry-After\`, wait and send it again |
| 429 | \`rate_limited\` | wait \`Retry-After\` seconds |
| 500 | \`internal_error\` | send it again with the same key |

Quote \`X-Request-Id\` when you ask us about a request.

### Test clock
A test customer's time is real until \`POST /v1/test-clock/advance\` first moves it; then it stands still between advances. Each
advance bills every period that has ended by then, as in production, so that a year of invoices takes seconds.`;

/** Description of each tag; a tag groups operations in the reference. */
export const TAGS: Readonly<Record<string, string>> = {
  Events:
    'What your customers used. A 2xx means stored for good; each `idempotency_key` counts once, for ever.',
  Customers:
    'Who pays. Everywhere a `customer_id` is asked for, your `external_id` and our `cus_` id both do.',
  'Pricing plans':
    'How usage becomes money: charges that are flat, per unit, graduated, volume, package, credit or percentage.',
  Subscriptions: 'Which customer is billed by which plan, since when, and until when.',
  Invoices:
    'What a period costs, line by line. An issued invoice is never edited: it is voided or regenerated.',
  'Credit grants':
    'Units of usage paid for in advance. They are used before usage is charged, soonest expiry first.',
  'Test clock': "Moves a test customer's time forward. There is none for live keys.",
};
