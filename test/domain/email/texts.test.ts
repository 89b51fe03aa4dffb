import assert from 'node:assert/strict';
import { compose, type EmailFacts } from '../../../src/domain/email/compose.ts';
import { EMAIL_KINDS } from '../../../src/domain/email/kind.ts';
import { LANGUAGES } from '../../../src/domain/email/language.ts';
import { unknownPlaceholdersOf } from '../../../src/domain/email/placeholders.ts';
import { buttonOf, replacesOf, textOf } from '../../../src/domain/email/texts.ts';
import { anEmail } from '../../support/documents/email-facts.ts';

/** Longest line of a built-in text with its placeholders, so that it can be read in every mailbox. */
const LINE_MAX = 130;
/** Words of the familiar address, which a bill does not use. */
const FAMILIAR: Partial<Record<(typeof LANGUAGES)[number], RegExp>> = {
  de: /\b(du|dich|dir|dein\w*|ihr)\b/,
  fr: /\b(tu|toi|ton|ta|tes)\b/i,
  it: /\b(tu|ti|tuo|tua|tue|tuoi)\b/i,
  es: /\b(tú|ti|tu|tus)\b/i,
  nl: /\b(jij|je|jou|jouw)\b/i,
};

describe('the texts of emails', () => {
  const texts = LANGUAGES.flatMap((language) => EMAIL_KINDS.map((kind) => ({ language, kind })));
  for (const { language, kind } of texts) {
    const { subject, body } = textOf(kind, language);
    const whole = `${subject}\n${body}`;

    it(`${kind} in ${language}: every placeholder is known, lines are short, the address is formal`, () => {
      assert.deepEqual(unknownPlaceholdersOf(whole), []);
      assert.deepEqual(
        whole.split('\n').filter((line) => line.length > LINE_MAX || line !== line.trim()),
        [],
      );
      assert.doesNotMatch(subject, /\n/);
      assert.doesNotMatch(whole, FAMILIAR[language] ?? /(?!)/);
      assert.equal(body.split('{link}').length, 2, 'one link');
    });

    it(`${kind} in ${language}: with all values no brace is left, without the others no label is left`, () => {
      const full = compose(anEmail({ kind, language }), textOf(kind, language), 'https://acme.com/p/x');
      for (const part of Object.values(full)) assert.doesNotMatch(part, /[{}]|undefined|null/);
      const bare: EmailFacts = anEmail({
        kind,
        language,
        amount_due: null,
        due_date: null,
        method: null,
      });
      const { text } = compose(bare, textOf(kind, language), null);
      const below = text.slice(text.indexOf('\n'));
      assert.doesNotMatch(below, /: *$|\n\n\n|[{}]|null/m, 'a label without its value');
      assert.ok(text.endsWith('Tidemark Ltd'), text);
    });
  }

  it('are of one form: all languages use the same placeholders of a kind', () => {
    const namesOf = (text: string) => [...new Set(text.match(/\{\w+\}/g))].sort();
    for (const kind of EMAIL_KINDS)
      for (const language of LANGUAGES) {
        const others = (text: string) => namesOf(text).filter((name) => name !== '{customer}');
        assert.deepEqual(others(textOf(kind, language).body), others(textOf(kind, 'en').body), language);
        const [own, english] = [textOf(kind, language).subject, textOf(kind, 'en').subject];
        assert.deepEqual(namesOf(own), namesOf(english), language);
      }
  });

  it('differ by language, buttons and sentences too', () => {
    for (const kind of EMAIL_KINDS) {
      assert.equal(new Set(LANGUAGES.map((language) => textOf(kind, language).body)).size, LANGUAGES.length);
      assert.equal(new Set(LANGUAGES.map((language) => buttonOf(kind, language))).size, LANGUAGES.length);
    }
    const sentences = LANGUAGES.map((language) => replacesOf('INV-7', language));
    assert.equal(new Set(sentences).size, LANGUAGES.length);
    for (const sentence of sentences) assert.match(sentence, /INV-7\.$/);
  });
});
