import {
  deleteEmailText,
  findEmailText,
  writeEmailText,
  type TextKey,
} from '../../src/db/emails/email-texts.ts';
import type { Db } from '../../src/db/connection/pool.ts';
import { EMAIL_KINDS } from '../../src/domain/email/kind.ts';
import { LANGUAGES } from '../../src/domain/email/language.ts';
import { PLACEHOLDERS, unknownPlaceholdersOf } from '../../src/domain/email/placeholders.ts';
import { textOf } from '../../src/domain/email/texts.ts';
import { invalid } from '../../src/domain/money/errors.ts';
import { EmailTextObject, type EmailText } from '../../src/objects/email-text.ts';
import { exactly } from '../../src/objects/parts.ts';
import { notFoundError } from '../http/errors.ts';
import type { Caller } from '../http/deps.ts';
import * as examples from '../reference/examples/email-texts.ts';
import { route } from '../routing/route.ts';
import { Body, Subject } from '../schema/email.ts';

const TEXTS = { tag: 'Emails', path: '/v1/email-texts/{kind}/{language}' } as const;

const read = route({
  ...TEXTS,
  method: 'get',
  operation_id: 'getEmailText',
  summary: 'Get the text of a kind of email in a language',
  description: `Placeholders are ${PLACEHOLDERS.map((name) => `\`{${name}}\``).join(', ')}.`,
  examples: examples.read,
  responses: { 200: EmailTextObject },
  handle: async ({ db, caller, params }) => ({
    status: 200,
    body: await currentText(db, caller, keyOf(caller, params)),
  }),
});

const set = route({
  ...TEXTS,
  method: 'put',
  operation_id: 'setEmailText',
  summary: "Replace Tidemark's text of a kind of email in a language",
  description: 'For emails that leave from now on.',
  body: exactly({ subject: Subject, body: Body }),
  examples: examples.set,
  responses: { 200: EmailTextObject },
  handle: async ({ db, caller, params, body }) => {
    const key = keyOf(caller, params);
    checkPlaceholders('subject', body.subject);
    checkPlaceholders('body', body.body);
    await writeEmailText(db, key, body);
    return { status: 200, body: await currentText(db, caller, key) };
  },
});

const remove = route({
  ...TEXTS,
  method: 'delete',
  operation_id: 'deleteEmailText',
  summary: "Use Tidemark's text again",
  examples: examples.remove,
  responses: { 200: EmailTextObject },
  handle: async ({ db, caller, params }) => {
    const key = keyOf(caller, params);
    if (!(await deleteEmailText(db, key))) throw notFoundError();
    return { status: 200, body: await currentText(db, caller, key) };
  },
});

/** Throws not_found for a kind or a language that there is not. */
function keyOf({ environment_id }: Caller, params: Readonly<Record<string, string>>): TextKey {
  const kind = EMAIL_KINDS.find((name) => name === params['kind']);
  const language = LANGUAGES.find((name) => name === params['language']);
  if (kind === undefined || language === undefined) throw notFoundError();
  return { environment_id, kind, language };
}

/** The text that emails have now. */
async function currentText(db: Db, { livemode }: Caller, key: TextKey): Promise<EmailText> {
  const { kind, language } = key;
  const text = (await findEmailText(db, key)) ?? { ...textOf(kind, language), updated_at: null };
  return { object: 'email_text', livemode, kind, language, ...text };
}

/** Throws invalid_request `unknown_placeholder` for the first `{name}` that is none. */
function checkPlaceholders(param: string, text: string): void {
  const [unknown] = unknownPlaceholdersOf(text);
  if (unknown === undefined) return;
  const message = `${param} must not have ${unknown}, which is no placeholder`;
  throw invalid(param, 'unknown_placeholder', message);
}

export const emailTextRoutes = [read, set, remove];
