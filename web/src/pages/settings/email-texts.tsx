import { useState } from 'preact/hooks';
import type { Account, Email, EmailText } from '../../api/objects.ts';
import { useLoad } from '../../api/use-load.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { Field, Form, Select, TextArea, type Values } from '../../components/form.tsx';
import { Loading } from '../../components/loading.tsx';
import { Section } from '../../components/page.tsx';
import { Time } from '../../components/values.tsx';
import { May, useClient, useMay } from '../../shell/session.tsx';
import { KINDS, LANGUAGES, optionsOf } from '../emails/words.ts';

const PLACEHOLDERS =
  '{customer} {company} {number} {total} {amount_due} {due_date} {invoices} {method} {link}';

/** The texts of emails by kind and language, and a form to replace one. */
export function EmailTexts({ language: first }: Pick<Account, 'language'>) {
  const [kind, setKind] = useState<Email['kind']>('invoice');
  const [language, setLanguage] = useState(first);
  const path = `/v1/email-texts/${kind}/${language}`;
  const loaded = useLoad<EmailText>(path);
  return (
    <Section title="Texts">
      <div class="filters">
        <Select
          name="text_kind"
          label="Kind"
          options={optionsOf(KINDS)}
          value={kind}
          change={(chosen) => setKind(keyOf(KINDS, chosen))}
        />
        <Select
          name="text_language"
          label="Language"
          options={optionsOf(LANGUAGES)}
          value={language}
          change={(chosen) => setLanguage(keyOf(LANGUAGES, chosen))}
        />
      </div>
      <Loading loaded={loaded}>
        {(text) => (
          <TextForm key={`${path} ${text.updated_at}`} text={text} path={path} changed={loaded.reload} />
        )}
      </Loading>
    </Section>
  );
}

/** The key of an option; the fields offer no others. */
function keyOf<Key extends string>(names: Readonly<Record<Key, string>>, chosen: string): Key {
  const isKey = (name: string): name is Key => name in names && name === chosen;
  return Object.keys(names).find(isKey)!;
}

type TextProps = { text: EmailText; path: string; changed: () => void };

function TextForm({ text: { subject, body, updated_at }, path, changed }: TextProps) {
  const client = useClient();
  const may_change = useMay('setEmailText');
  const save = async (values: Values) => {
    await client.put(path, { subject: values['subject'], body: unixLines(values['body']) });
    changed();
  };
  const remove = async () => {
    await client.delete(path);
    changed();
  };
  return (
    <fieldset class="plain wide-form" disabled={!may_change}>
      <p class="faint">
        {updated_at === null ? (
          'This is the text of Tidemark.'
        ) : (
          <>
            Your own text since <Time at={updated_at} />.
          </>
        )}{' '}
        Placeholders: {PLACEHOLDERS}. A line with one that has no value is left out.
      </p>
      <Form
        submit_label="Save text"
        submit={save}
        done_label="Saved."
        beside={
          updated_at !== null && (
            <May use="deleteEmailText">
              <ActionButton label="Use the text of Tidemark" perform={remove} />
            </May>
          )
        }
      >
        <Field name="subject" label="Subject" initial={subject} />
        <TextArea name="body" label="Text" rows={14} initial={body} />
      </Form>
    </fieldset>
  );
}

/** Forms send CR LF at the end of lines. */
function unixLines(text = ''): string {
  return text.replaceAll('\r\n', '\n');
}
