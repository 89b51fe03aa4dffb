import { Option, type Command } from 'commander';
import { EMAIL_STATUSES } from '../src/domain/email/email.ts';
import { EMAIL_KINDS } from '../src/domain/email/kind.ts';
import type { Config } from '../src/settings/config.ts';
import type { Email } from '../src/objects/email.ts';
import type { List } from '../src/objects/parts.ts';
import { askingApi, openApi, printingList, type ApiOptions, type PageOptions } from './api.ts';
import { Failure } from './failure.ts';
import { withExamples } from './help.ts';
import { fieldLines, printList, printResult } from './output.ts';

const PATH = '/v1/emails';
const EXAMPLE = 'eml_01k2m3n4p5q6r7s8t9v0w1x2y3';

/** Where a document is sent, by the prefix of its id. */
const DOCUMENTS: Readonly<Record<string, string>> = {
  inv: '/v1/invoices',
  cn: '/v1/credit-notes',
  pay: '/v1/payments',
};

type ListOptions = ApiOptions &
  PageOptions & { customer?: string; invoice?: string; kind?: string; status?: string };
type SendOptions = ApiOptions & { to?: string };

/** Adds `emails list`, `show`, `send`, `resend` and `cancel`. */
export function addEmails(program: Command, config: Config): void {
  const emails = program.command('emails').description('messages to payers, and their fates');
  addList(emails, config);
  addShow(emails, config);
  addSend(emails, config);
  addResend(emails, config);
  addCancel(emails, config);
}

function addList(emails: Command, config: Config): void {
  withExamples(printingList(emails.command('list').description('list emails, newest first')), [
    'emails list --status failed --live',
    'emails list --customer acme',
  ])
    .option('--customer <customer>', 'only emails to this customer, by external_id or cus_...')
    .option('--invoice <invoice>', 'only emails about this invoice, inv_...')
    .addOption(new Option('--kind <kind>', 'only this kind').choices(EMAIL_KINDS))
    .addOption(new Option('--status <status>', 'only this status').choices(EMAIL_STATUSES))
    .action(async ({ limit, cursor, customer, invoice, kind, status, ...options }: ListOptions) => {
      const query = { limit, cursor, customer_id: customer, invoice_id: invoice, kind, status };
      const list = await openApi(config, options).get<List<Email>>(PATH, query);
      printList(options, list, {
        id: ({ id }) => id,
        kind: (email) => email.kind,
        customer: ({ customer_id }) => customer_id,
        status: (email) => email.status,
        reason: ({ status_reason }) => status_reason,
        'sent at': ({ sent_at }) => sent_at,
        to: addressesOf,
        subject: ({ subject }) => subject,
      });
    });
}

function addShow(emails: Command, config: Config): void {
  withExamples(askingApi(emails.command('show').description('show an email, its text and its fate')), [
    `emails show ${EXAMPLE}`,
  ])
    .argument('<id>', 'eml_...')
    .action(async (id: string, options: ApiOptions) => {
      show(options, await openApi(config, options).get<Email>(pathOf(id)));
    });
}

function addSend(emails: Command, config: Config): void {
  withExamples(
    askingApi(emails.command('send').description('send an invoice, a credit note or a receipt now')),
    [
      'emails send inv_01k2m3n4p5q6r7s8t9v0w1x2y3',
      'emails send pay_01k2m3n4p5q6r7s8t9v0w1x2y3 --to ada@acme.com,eva@acme.com',
    ],
  )
    .argument('<document>', 'inv_..., cn_..., or pay_... for its receipt')
    .option(...TO)
    .action(async (document: string, options: SendOptions) => {
      const list = DOCUMENTS[document.split('_')[0]!];
      if (list === undefined) throw new Failure(`${document} is no invoice, credit note or payment`, 2);
      await post(config, `${list}/${encodeURIComponent(document)}/send`, options);
    });
}

function addResend(emails: Command, config: Config): void {
  withExamples(
    askingApi(emails.command('resend').description('send the document of an email once more, now')),
    [`emails resend ${EXAMPLE} --to ada@acme.com`],
  )
    .argument('<id>', 'eml_...')
    .option(...TO)
    .action((id: string, options: SendOptions) => post(config, `${pathOf(id)}/resend`, options));
}

function addCancel(emails: Command, config: Config): void {
  withExamples(askingApi(emails.command('cancel').description('cancel an email that waits')), [
    `emails cancel ${EXAMPLE}`,
  ])
    .argument('<id>', 'eml_...')
    .action((id: string, options: ApiOptions) => post(config, `${pathOf(id)}/cancel`, options));
}

const TO = ['--to <addresses>', "addresses in place of the customer's, separated by commas"] as const;

async function post(config: Config, path: string, { to, ...options }: SendOptions): Promise<void> {
  const body = to === undefined ? {} : { to: to.split(',') };
  show(options, await openApi(config, options).post<Email>(path, body));
}

function pathOf(id: string): string {
  return `${PATH}/${encodeURIComponent(id)}`;
}

function addressesOf({ to }: Email): string | null {
  return to.length === 0 ? null : to.map(({ address }) => address ?? '-').join(',');
}

function show(options: ApiOptions, email: Email): void {
  const { id, kind, customer_id, object_id, language, status, status_reason, subject, text } = email;
  const fields = {
    id,
    kind,
    customer: customer_id,
    of: object_id,
    language,
    status,
    reason: status_reason,
    'next try': email.next_attempt_at,
    tries: `${email.attempts}`,
    'sent at': email.sent_at,
    to: addressesOf(email),
    files: email.attachments.map(({ filename }) => filename).join(', ') || null,
    'message id': email.message_id,
    subject,
  };
  printResult(options, email, `${fieldLines(fields)}${text === null ? '' : `\n\n${text.trimEnd()}`}`);
}
