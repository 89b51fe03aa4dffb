import assert from 'node:assert/strict';
import { copiesOfApiObjects, GENERATED_TYPES } from './support/servers/api-copies.ts';
import {
  commentsOf,
  DOCUMENTS,
  importsOf,
  PRODUCT,
  SOURCES,
  textOf,
  walk,
} from './support/sources/sources.ts';

/** Banned words: folder, pattern, and what to write instead. */
const BANNED: [folder: string, pattern: RegExp, instead: string][] = [
  [
    'src/domain/',
    /\bDate\.now\b|\bnew Date\(|\bMath\.|\bNumber\(|\bparseFloat\b|\bprocess\./,
    'the domain is pure: take it as an argument, compute with Big',
  ],
  ['', /\bFIXME\b|\bTODO\b/, 'do it, or write an issue'],
  ['test/', /\b(?:it|describe)\.(?:only|skip)\(/, 'every test runs'],
  [
    '',
    /\b(?:whole_start|settled_at|HeldLine|courseOf|rehearse\w*|EventFate|(?:draw|return)Lots|answerObject)\b/,
    'an old name: full_period_start, late_window_closed_at, UsageLine, PeriodContext, dryRun, EventBilling, grants, response',
  ],
];

/** Words that begin a doc comment without a noun or a verb: prepositions, pronouns, and participles alone. */
const NO_NOUNS = [
  ...['of', 'as', 'what', 'whose', 'in', 'for', 'with', 'within', 'without', 'by', 'from', 'after'],
  ...['beside', 'beyond', 'like', 'until', 'per', 'if', 'given', 'held', 'kept', 'said', 'shown', 'called'],
];
const NO_NOUN = new RegExp(
  String.raw`/\*\*[\s*]+(?:the same|(?:${NO_NOUNS.join('|')})(?![\w-]))[^\n]*`,
  'gi',
);

/** A template literal, or a part of one between templates that it contains. */
const TEMPLATE = /`[^`]*`/g;
const SQL =
  /\b(?:select|insert into|delete from|case when|jsonb_\w+\(|coalesce\()|::[a-z]|\b[a-z]\.[a-z_]+ (?:=|<|>|is|as) /;
const SQL_LINE_MAX = 120;

/** A text in single quotes that has a space: a sentence, not a name. */
const QUOTED = /'(?:[^'\\\n]|\\.)* (?:[^'\\\n]|\\.)*'/g;

const CLIENT_TYPES = 'sdk/typescript/src/schema.ts';
const files = SOURCES.filter((file) => file !== 'test/tidy.test.ts');

describe('tidy', () => {
  it('found the sources', () => assert.ok(files.length > 50, `${files.length} files`));

  it('no banned word', () => {
    const found = files.flatMap((file) =>
      BANNED.filter(([folder, pattern]) => file.startsWith(folder) && pattern.test(textOf(file))).map(
        ([, pattern, instead]) => `${file}: ${pattern.exec(textOf(file))![0]}; ${instead}`,
      ),
    );
    assert.deepEqual(found, []);
  });

  it('comments use words that an engineer says aloud', function () {
    // All sources are parsed, which takes seconds on a busy machine.
    const RARE =
      /\b(?:rim|mend(?:s|ed|ing)?|lest|reckon\w*|woken|told|whoever|as if it were|so many|for so long|in one go|taken back)\b/i;
    // The comments of the client's types are those of the API's reference.
    const written = files.filter((file) => file !== CLIENT_TYPES);
    const found = written.flatMap((file) =>
      commentsOf(file)
        .filter((comment) => RARE.test(comment.replaceAll(/`[^`]*`/g, '')))
        .map((comment) => `${file}: ${comment}`),
    );
    assert.deepEqual(found, []);
  });

  it('documents, titles of tests and sentences in quotes do so too', () => {
    const RARE = /\b(?:whoever|woken|reckon\w*|lest)\b/i;
    const written = files.filter((file) => !file.endsWith('/schema.ts'));
    const sentences = [
      ...DOCUMENTS.map((file) => ({ file, text: textOf(file).replaceAll(/```[^]*?```|`[^`]*`/g, '') })),
      ...written.flatMap((file) => [...textOf(file).matchAll(QUOTED)].map(([text]) => ({ file, text }))),
    ];
    const found = sentences.filter(({ text }) => RARE.test(text));
    assert.deepEqual(
      found.map(({ file, text }) => `${file}: ${RARE.exec(text)![0]}`),
      [],
    );
  });

  it('comments of the product end at 120 characters', () => {
    const long = PRODUCT.filter((file) => !file.endsWith('/schema.ts')).flatMap((file) =>
      textOf(file)
        .split('\n')
        .filter((line) => line.length > 120 && /^\s*(?:\/\/|\*|\/\*\*)/.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    );
    assert.deepEqual(long, []);
  });

  it('doc comments begin with a noun or a verb', () => {
    const found = files.flatMap((file) =>
      [...textOf(file).matchAll(NO_NOUN)].map(([beginning]) => `${file}: ${beginning}`),
    );
    assert.deepEqual(found, []);
  });

  it(`no line of a statement in src/db is longer than ${SQL_LINE_MAX} characters`, () => {
    const found = files
      .filter((file) => file.startsWith('src/db/'))
      .flatMap((file) => longStatementLines(textOf(file)).map((line) => `${file}: ${line}`));
    assert.deepEqual(found, []);
  });

  it('process.env is read in src/settings/config.ts alone', () => {
    const readers = files.filter(
      (file) => file !== 'src/settings/config.ts' && /\bprocess\.env\b/.test(textOf(file)),
    );
    assert.deepEqual(readers, []);
  });

  it('the wall clock is read in the named files only; ages are measured by performance.now()', () => {
    const READERS = [
      ...[
        'api/dashboard/sessions.ts',
        'api/http/broken-request.ts',
        'src/telemetry/log-output.ts',
        'src/telemetry/log.ts',
      ],
      // Ids contain their time of creation, and a list is filtered by such ids.
      ...['src/keys/ids.ts', 'src/db/invariants/workflows.ts'],
      // Compare the clock with another one: of the database, Temporal, the disk, the API.
      ...['cli/doctor/postgres.ts', 'cli/doctor/temporal.ts', 'cli/tail.ts', 'dev/temporal-binary.ts'],
      // A call of Temporal's client has a deadline, and a run has a start time.
      'src/temporal/temporal.ts',
      ...['dev/demo.ts', 'dev/seed.ts'],
      // An event happens when it is tracked; a webhook is compared with the clock of its sender.
      ...['sdk/typescript/src/client.ts', 'sdk/typescript/src/webhook.ts'],
      // A challenge of a sign-in carries its end.
      'api/sign-in/challenge.ts',
      // A signature of a webhook names the moment of its try.
      ...['src/webhooks/sender.ts', 'cli/listen.ts'],
      // In a workflow this is Temporal's own clock, which replays.
    ];
    const reading = PRODUCT.filter(
      (file) => !file.startsWith('web/') && /\bDate\.now\b|\bnew Date\(\)/.test(textOf(file)),
    );
    assert.deepEqual(reading.sort(), READERS.sort());
  });

  it('transactions begin and end in src/db/connection/pool.ts alone', () => {
    const others = PRODUCT.filter(
      (file) => file !== 'src/db/connection/pool.ts' && /['"`](?:begin|commit)\b/.test(textOf(file)),
    );
    assert.deepEqual(others, []);
  });

  it('SQL is in src/db, and in two named files', () => {
    const EXCEPTIONS = ['cli/doctor/postgres.ts', 'dev/seed-events.ts'];
    const asking = PRODUCT.filter(
      (file) => !file.startsWith('web/') && /\.query(?:<[^;]*?>)?\(/.test(textOf(file)),
    );
    const elsewhere = asking.filter((file) => !file.startsWith('src/db/'));
    assert.ok(asking.length > 20, `${asking.length} files`);
    assert.deepEqual(elsewhere, EXCEPTIONS);
  });

  it('pages have the types of the API from web/src/api/objects.ts, and neither they nor commands have a copy written by hand', () => {
    const importing = PRODUCT.filter((file) =>
      importsOf(file).some(({ target }) => target === GENERATED_TYPES),
    );
    assert.deepEqual(importing, ['web/src/api/objects.ts']);
    assert.deepEqual(copiesOfApiObjects(), []);
  });

  it('secrets in .env do not reach the repository; test/drills/deploy/packaging.test.ts says the same of the image', () => {
    const ignored = textOf('.gitignore').split('\n');
    for (const pattern of ['.env', '.env.*'])
      assert.ok(ignored.includes(pattern), `.gitignore lacks ${pattern}`);
  });

  it('at most nine files lie directly in api', () => {
    const spine = files.filter((file) => /^api\/[^/]+$/.test(file));
    assert.ok(spine.length <= 9, spine.join(', '));
  });

  it('ARCHITECTURE.md names what to open in 25 short rows; the README of a room has the rest', () => {
    const [, table = ''] =
      /\n\| to \| open \|\n\|---\|---\|\n([^]*?)\n\n/.exec(textOf('docs/ARCHITECTURE.md')) ?? [];
    const rows = table.split('\n');
    assert.ok(rows.length > 10 && rows.length <= 25, `${rows.length} rows`);
    assert.deepEqual(
      rows.filter((row) => row.length > 200),
      [],
    );
  });

  it('STYLE.md fits a page and a decision fits a screen', () => {
    assert.ok(textOf('docs/STYLE.md').split('\n').length <= 60);
    const long = walk('docs/decisions').filter((file) => textOf(file).split('\n').length > 45);
    assert.deepEqual(long, []);
  });
});

/** The lines that are too long, whole, of the templates with SQL in a file. */
function longStatementLines(text: string): string[] {
  return [...text.matchAll(TEMPLATE)]
    .filter(([template]) => SQL.test(template))
    .flatMap(({ 0: template, index }) => {
      const start = text.lastIndexOf('\n', index) + 1;
      const end = text.indexOf('\n', index + template.length);
      return text.slice(start, end).split('\n');
    })
    .filter((line) => line.length > SQL_LINE_MAX);
}
