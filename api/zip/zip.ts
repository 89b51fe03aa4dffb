import { addAbortSignal, PassThrough, Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import yazl from 'yazl';

/** A file of an archive. Its content is read when its turn comes. */
export type ZippedFile = { path: string; content: AsyncIterable<string | Buffer> };

/**
 * A ZIP archive that is made while it is read: one file after the other, as fast as the reader takes it. Of the files
 * before, only their entries in the directory at the end are in memory. `at` is the time of all files.
 */
export function zipOf(files: AsyncIterable<ZippedFile>, at: string): Readable {
  const zip = new yazl.ZipFile();
  const archive = new PassThrough();
  const reader_left = new AbortController();
  const fail = (error: Error) => void archive.destroy(error);
  archive.once('close', () => reader_left.abort());
  zip.on('error', fail);
  zip.outputStream.on('error', fail).pipe(archive);
  addFiles(zip, files, { mtime: new Date(at), signal: reader_left.signal }).catch(fail);
  return archive;
}

async function addFiles(
  zip: yazl.ZipFile,
  files: AsyncIterable<ZippedFile>,
  { mtime, signal }: { mtime: Date; signal: AbortSignal },
): Promise<void> {
  for await (const { path, content } of files) {
    const source = addAbortSignal(signal, Readable.from(content));
    // A PDF is compressed already.
    zip.addReadStream(source, path, { mtime, compress: !path.endsWith('.pdf') });
    await finished(source);
  }
  zip.end();
}
