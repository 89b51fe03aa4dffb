import assert from 'node:assert/strict';
import fc from 'fast-check';
import { startApi, type TestApi } from '../../support/servers/api.ts';

type Value = null | boolean | number | string | Value[] | { [name: string]: Value };
type Sent = { event_name: string; timestamp_ms: number | null; properties: { [name: string]: Value } };

/** One event has many JSON spellings; two different events share none. */
describe('any event', () => {
  let api: TestApi;
  let keys = 0;
  before(async () => {
    api = await startApi();
    await api.post('/v1/customers', { external_id: 'C1' });
  });
  after(() => api.close());

  const aNumber = fc.oneof(
    fc.integer(),
    fc.integer({ min: -99_999, max: 99_999 }).map((cents) => cents / 100),
    fc.constantFrom(0, -0, 1e21, 1.5e-7, 9007199254740991),
  );
  // No NUL, which the API refuses; `binary` makes no lone surrogates.
  const aText = fc.string({ unit: 'binary', maxLength: 8 }).map((text) => text.replaceAll('\0', ''));
  const aName = aText.filter((name) => name !== '__proto__');
  const { value: aValue } = fc.letrec<{ value: Value }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      fc.constantFrom(null, true, false),
      aNumber,
      aText,
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(aName, tie('value'), { maxKeys: 4, noNullPrototype: true }),
    ),
  }));
  const anEvent: fc.Arbitrary<Sent> = fc.record({
    event_name: fc.constantFrom('a', 'b'),
    timestamp_ms: fc.option(fc.integer({ min: 0, max: Date.UTC(2026, 0) })),
    properties: fc.dictionary(aName, aValue, { maxKeys: 4, noNullPrototype: true }),
  });
  /** Random numbers: each choice in the spelling of an event takes the next one. */
  const choices = fc.infiniteStream(fc.nat({ max: 1000 }));

  it('equals every other spelling of itself, alone and in a batch', () =>
    fc.assert(
      fc.asyncProperty(anEvent, choices, async (event, stream) => {
        const choose = chooser(stream);
        const key = `same ${++keys}`;
        const first = await api.post('/v1/events', spelled(event, key, choose));
        assert.equal(first.status, 201, JSON.stringify(first.body));
        const again = await api.post('/v1/events', spelled(event, key, choose));
        assert.deepEqual([again.status, again.body.id], [200, first.body.id], JSON.stringify(again.body));
        const twice = [1, 2].map(() => spelled(event, `${key} batch`, choose));
        const batch = await api.post('/v1/events/batch', `{"events":[${twice.join()}]}`);
        assert.deepEqual([batch.status, batch.body.created, batch.body.duplicates], [201, 1, 1]);
      }),
      { numRuns: 60 },
    ));

  it('differs from every other event, alone and in a batch', () =>
    fc.assert(
      fc.asyncProperty(anEvent, anEvent, fc.boolean(), choices, async (event, other, mixed, stream) => {
        // Often the same event with other properties, so that the two differ in one member only.
        const second = mixed ? { ...event, properties: other.properties } : other;
        const differs = canonical(event) !== canonical(second);
        const choose = chooser(stream);
        const key = `other ${++keys}`;
        assert.equal((await api.post('/v1/events', spelled(event, key, choose))).status, 201);
        const { status } = await api.post('/v1/events', spelled(second, key, choose));
        assert.equal(status, differs ? 409 : 200);
        const both = [event, second].map((one) => spelled(one, `${key} batch`, choose));
        const batch = await api.post('/v1/events/batch', `{"events":[${both.join()}]}`);
        assert.equal(batch.status, differs ? 409 : 201);
      }),
      { numRuns: 60 },
    ));
});

type Choose = <T>(...options: readonly T[]) => T;

function chooser(stream: Iterator<number>): Choose {
  return (...options) => options[stream.next().value % options.length]!;
}

/** The event as JSON text, with a random order of members and random spellings of numbers, instants and strings. */
function spelled({ event_name, timestamp_ms, properties }: Sent, key: string, choose: Choose): string {
  const members: [string, string][] = [
    ['event_name', text(event_name, choose)],
    ['customer_id', '"C1"'],
    ['idempotency_key', JSON.stringify(key)],
    ['properties', value(properties, choose)],
  ];
  if (timestamp_ms !== null) members.push(['timestamp', JSON.stringify(instant(timestamp_ms, choose))]);
  return object(members, choose);
}

function object(members: readonly [string, string][], choose: Choose): string {
  const rest = [...members];
  const parts: string[] = [];
  while (rest.length > 0) {
    const [name, written] = rest.splice(choose(...rest.keys()), 1)[0]!;
    parts.push(`${text(name, choose)}${choose('', ' ')}:${choose('', '\n')}${written}`);
  }
  return `{${parts.join()}}`;
}

function value(one: Value, choose: Choose): string {
  if (typeof one === 'string') return text(one, choose);
  if (typeof one === 'number') return number(one, choose);
  if (Array.isArray(one)) return `[${one.map((item) => value(item, choose)).join()}]`;
  if (one === null || typeof one === 'boolean') return `${one}`;
  return object(
    Object.entries(one).map(([name, member]) => [name, value(member, choose)]),
    choose,
  );
}

function number(one: number, choose: Choose): string {
  if (one === 0) return choose('0', '-0', '0.000', '0e5');
  const plain = `${one}`;
  if (plain.includes('e')) return choose(plain, plain.replace('e', 'E').replace('+', ''));
  return choose(plain, plain.includes('.') ? `${plain}0` : `${plain}.0`, `${plain}e0`, one.toExponential());
}

function text(one: string, choose: Choose): string {
  const plain = JSON.stringify(one);
  return choose(
    plain,
    plain.replaceAll(/[g-z]/g, (character, at: number) =>
      plain[at - 1] === '\\' ? character : `\\u00${character.charCodeAt(0).toString(16)}`,
    ),
  );
}

function instant(ms: number, choose: Choose): string {
  const minutes = choose(0, 330, -480);
  const local = new Date(ms + minutes * 60_000).toISOString().slice(0, -1) + choose('', '000', '999');
  if (minutes === 0 || local < '1970')
    return new Date(ms).toISOString().slice(0, -1) + choose('Z', 'z', '', '+00:00');
  return local + (minutes > 0 ? '+05:30' : '-08:00');
}

/** The text of an event, equal for equal events only, by other code than the product's. */
function canonical({ event_name, timestamp_ms, properties }: Sent): string {
  const sorted = (one: Value): Value => {
    if (Array.isArray(one)) return one.map(sorted);
    if (typeof one !== 'object' || one === null) return one;
    const names = Object.keys(one).sort();
    const members = names.map((name): Value => [name, sorted(one[name]!)]);
    return { members };
  };
  return JSON.stringify([event_name, timestamp_ms, sorted(properties)]);
}
