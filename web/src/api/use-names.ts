import { useEffect, useReducer } from 'preact/hooks';
import { useClient, useSession } from '../shell/session.tsx';
import type { Client } from './client.ts';
import type { Names } from './objects.ts';

/** Kinds of ids: external ids of customers, and ids of all other objects. */
export type NamedKind = 'customers' | 'ids';

/** A name; null if there is no such object, or it has none; undefined while it is not known. */
export type KnownName = string | null | undefined;

/** Limit of the route for each kind. */
const IDS_MAX = 200;
/** Time in which the ids of a page are gathered into one request. */
const GATHERING_MS = 20;
/**
 * Age of a name from which the next page that shows it asks again, as after every change; it has the old name
 * meanwhile.
 */
const FRESH_MS = 5_000;
/** Ids of the kinds that the route names. */
const HAS_NAME = /^(plan|chg|usr|key|inv|cn|cus|sub|cg|dis)_/;
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

type NameBook = {
  nameOf: (kind: NamedKind, id: string) => KnownName;
  want: (kind: NamedKind, ids: readonly string[]) => void;
  /** Takes a name from another response; null: there is none. */
  learn: (kind: NamedKind, id: string, name: string | null) => void;
  /** Calls `changed` when names have come; returns a function that ends this. */
  watch: (changed: () => void) => () => void;
};

/** A client is of one environment, and so are the names that it has fetched. */
const books = new WeakMap<Client, NameBook>();

function bookOf(client: Client): NameBook {
  const book = books.get(client) ?? createNameBook(client);
  books.set(client, book);
  return book;
}

function createNameBook(client: Client): NameBook {
  const known = { customers: new Map<string, Entry>(), ids: new Map<string, Entry>() };
  const queue = { customers: new Set<string>(), ids: new Set<string>() };
  const watchers = new Set<() => void>();
  let is_gathering = false;

  const ask = async () => {
    is_gathering = false;
    const body = { customers: firstOf(queue.customers), ids: firstOf(queue.ids) };
    if (queue.customers.size + queue.ids.size > 0) gather();
    const read_at_ms = performance.now();
    const names = await client.ask<Names>('/dashboard/api/names', body);
    for (const kind of ['customers', 'ids'] as const) {
      const new_names = new Map(Object.entries(names[kind]));
      for (const id of body[kind]) known[kind].set(id, { name: new_names.get(id) ?? null, read_at_ms });
    }
    watchers.forEach((changed) => changed());
  };
  const gather = () => {
    if (is_gathering) return;
    is_gathering = true;
    // Without an answer the page goes on showing ids, and the next page asks again.
    setTimeout(() => void ask().catch(() => undefined), GATHERING_MS);
  };
  return {
    nameOf: (kind, id) => known[kind].get(id)?.name,
    want: (kind, ids) => {
      const fresh_from_ms = Math.max(performance.now() - FRESH_MS, client.changedAt());
      const missing = ids.filter((id) => (known[kind].get(id)?.read_at_ms ?? -Infinity) < fresh_from_ms);
      missing.forEach((id) => queue[kind].add(id));
      if (missing.length > 0) gather();
    },
    learn: (kind, id, name) => void known[kind].set(id, { name, read_at_ms: performance.now() }),
    watch: (changed) => {
      watchers.add(changed);
      return () => void watchers.delete(changed);
    },
  };
}

type Entry = { name: string | null; read_at_ms: number };

/** Takes the ids of one request out of those that are wanted. */
function firstOf(queue: Set<string>): string[] {
  const ids = [...queue].slice(0, IDS_MAX);
  ids.forEach((id) => queue.delete(id));
  return ids;
}

/**
 * Returns a function that gives the names of some ids. They are fetched in one request with all others that the page
 * shows.
 */
export function useNames(kind: NamedKind, ids: readonly string[]): (id: string) => KnownName {
  const { client, signed_in } = useSession();
  const book = bookOf(client);
  // A payer has no names of other objects.
  const may_ask = signed_in.state === 'signed_in';
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  // Text, so that the effect runs again only if the ids differ. No id has a line break.
  const id_lines = ids.filter((id) => isAsked(kind, id)).join('\n');
  useEffect(() => {
    if (id_lines === '' || !may_ask) return;
    book.want(kind, id_lines.split('\n'));
    return book.watch(() => redraw(undefined));
  }, [book, kind, id_lines, may_ask]);
  return (id) => book.nameOf(kind, id);
}

/** Returns a function that keeps a name of another response, so that it is not asked for. */
export function useLearnName(): NameBook['learn'] {
  return bookOf(useClient()).learn;
}

/** Returns the name of one id, which is fetched as useNames does. */
export function useName(kind: NamedKind, id: string): KnownName {
  return useNames(kind, [id])(id);
}

/** An id in an address may be any text, and the route refuses a request with one that no object can have. */
function isAsked(kind: NamedKind, id: string): boolean {
  if (kind === 'ids') return HAS_NAME.test(id) && id.length <= 64 && !CONTROL.test(id);
  return id.trim() !== '' && id.length <= 255 && !CONTROL.test(id);
}
