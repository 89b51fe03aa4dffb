import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { parse } from 'csv-parse';
import { stringify } from 'csv-stringify';
import { ARCHIVED_COLUMNS, type ArchivedEvent } from '../db/archive/leaving-events.ts';
import { messageOf } from '../process/message-of.ts';
import { ArchiveFault } from './fault.ts';

/** The facts that are stored about a file: its events, and size and SHA-256 (hexadecimal) of its bytes. */
export type FileFacts = { events: number; bytes: number; sha256: string };

/** Counts the bytes that pass, and their hash. */
function meter(): { stream: Transform; facts: () => Pick<FileFacts, 'bytes' | 'sha256'> } {
  const hash = createHash('sha256');
  let bytes = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _, done) {
      hash.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  return { stream, facts: () => ({ bytes, sha256: hash.digest('hex') }) };
}

/**
 * Writes pages of events as CSV with gzip, a line an event, under another name first, and returns when the disk has it.
 * A file that is there is complete.
 */
export async function writeEventFile(
  path: string,
  pages: AsyncIterable<readonly ArchivedEvent[]>,
): Promise<FileFacts> {
  let events = 0;
  async function* rows() {
    for await (const page of pages) {
      events += page.length;
      yield* page;
    }
  }
  const partial = `${path}.partial`;
  const metered = meter();
  const lines = stringify({ header: true, columns: [...ARCHIVED_COLUMNS] });
  await pipeline(
    Readable.from(rows()),
    lines,
    createGzip(),
    metered.stream,
    createWriteStream(partial, { mode: 0o600 }),
  );
  await flush(partial);
  await rename(partial, path);
  await flush(dirname(path));
  return { events, ...metered.facts() };
}

async function flush(path: string): Promise<void> {
  const file = await open(path, 'r');
  await file.sync().finally(() => file.close());
}

/**
 * Reads a file in pages of `limit` events, and compares its size, its hash and its count with `facts` at the end.
 * Throws an ArchiveFault that names the file if it is missing, cut or changed.
 */
export async function* readEventFile(
  path: string,
  facts: FileFacts,
  limit: number,
): AsyncGenerator<ArchivedEvent[]> {
  const metered = meter();
  const parser = parse({ columns: true });
  const reading = pipeline(createReadStream(path), metered.stream, createGunzip(), parser);
  reading.catch(() => undefined);
  let events = 0;
  let page: ArchivedEvent[] = [];
  try {
    for await (const event of parser as AsyncIterable<ArchivedEvent>) {
      events++;
      page.push(event);
      if (page.length < limit) continue;
      yield page;
      page = [];
    }
    await reading;
  } catch (error) {
    if (error instanceof ArchiveFault) throw error;
    throw new ArchiveFault(`${path} cannot be read: ${messageOf(error)}`);
  }
  if (page.length > 0) yield page;
  const { bytes, sha256 } = metered.facts();
  if (bytes !== facts.bytes || sha256 !== facts.sha256 || events !== facts.events)
    throw new ArchiveFault(
      `${path} is not the file that was written: it has ${events} events in ${bytes} bytes, SHA-256 ${sha256}; written were ${facts.events} events in ${facts.bytes} bytes, SHA-256 ${facts.sha256}`,
    );
}

/**
 * Reads a whole file and compares it with `facts`, without looking at its events. Throws an ArchiveFault that names the
 * file.
 */
export async function checkEventFile(path: string, facts: FileFacts): Promise<void> {
  for await (const page of readEventFile(path, facts, 10_000)) void page;
}
