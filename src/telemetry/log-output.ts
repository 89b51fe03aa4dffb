import { write, writeSync } from 'node:fs';

const HELD_CHARACTERS_MAX = 64 * 1024;
/** Buffer limit for a slow or full disk: further lines are dropped. */
const WAITING_CHARACTERS_MAX = 1024 * 1024;
const HELD_MS_MAX = 1000;

/**
 * How long to wait before the next attempt if a pipe is full: with the 64 KiB of a pipe on Linux, up to 6 MiB pass in a
 * second.
 */
const FULL_PIPE_MS = 10;
/** How long an exit waits at most for the reader of a full pipe. */
const EXIT_MS_MAX = 2000;
const NOTHING: Buffer = Buffer.alloc(0);

export type LogOutput = { write: (line: string) => void };

/**
 * Buffers log lines and writes many at once, because each write wakes a thread, which costs more than serving the
 * request that the line describes. Never throws and never blocks: lines that cannot be written are dropped and counted,
 * since a full disk must not end the service. On exit the buffer is written synchronously. Why not by pino's own
 * destination: decision 24.
 */
export function logOutput(descriptor: number): LogOutput {
  let lines: string[] = [];
  let characters = 0;
  let lost_lines = 0;
  let is_writing = false;
  let timer: NodeJS.Timeout | undefined;
  const writer = writerOf(descriptor);

  const take = () => {
    const text = `${lostLine(lost_lines)}${lines.join('')}`;
    const portion = { bytes: Buffer.from(text), count: lines.length, lost_before: lost_lines };
    [lines, characters, lost_lines] = [[], 0, 0];
    return portion;
  };
  const handOver = () => {
    clearTimeout(timer);
    timer = undefined;
    if (is_writing || lines.length === 0) return;
    is_writing = true;
    const { bytes, count, lost_before } = take();
    writer.write(bytes, (is_written) => {
      is_writing = false;
      if (!is_written) lost_lines += count + lost_before;
      if (characters >= HELD_CHARACTERS_MAX) handOver();
      else if (lines.length > 0) timer ??= setTimeout(handOver, HELD_MS_MAX).unref();
    });
  };
  process.on('exit', () => {
    const last = lines.length === 0 ? [] : [take().bytes];
    writeAtExit(descriptor, Buffer.concat([writer.refused(), ...last]));
  });
  return {
    write(line) {
      if (characters >= WAITING_CHARACTERS_MAX) return void lost_lines++;
      lines.push(line);
      characters += line.length;
      if (characters >= HELD_CHARACTERS_MAX) handOver();
      else timer ??= setTimeout(handOver, HELD_MS_MAX).unref();
    },
  };
}

type Writer = {
  /** Writes all bytes, then says whether this succeeded. One call at a time. */
  write: (bytes: Buffer, then: (is_written: boolean) => void) => void;
  /** The bytes for which a pipe has no space yet. */
  refused: () => Buffer;
};

function writerOf(descriptor: number): Writer {
  let refused = NOTHING;
  const writeOn: Writer['write'] = (bytes, then) =>
    write(descriptor, bytes, (error, written) => {
      if (error !== null && isFullPipe(error)) retryLater(bytes, then);
      else if (error !== null) then(false);
      // One write may accept only a part of the bytes.
      else if (written < bytes.length) writeOn(bytes.subarray(written), then);
      else then(true);
    });
  const retryLater: Writer['write'] = (bytes, then) => {
    refused = bytes;
    setTimeout(retry, FULL_PIPE_MS, then).unref();
  };
  const retry = (then: (is_written: boolean) => void) => {
    const rest = writeToPipe(descriptor, refused);
    refused = NOTHING;
    if (rest === null || rest.length === 0) then(rest !== null);
    else retryLater(rest, then);
  };
  return { write: writeOn, refused: () => refused };
}

/**
 * Whether a write has failed because a pipe is full. A pipe does not block once any module of a process that shares it
 * has touched process.stdout.
 */
function isFullPipe(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EAGAIN';
}

/** Writes all for which a pipe that does not block has space, and returns the rest; null after another error. */
function writeToPipe(descriptor: number, bytes: Buffer): Buffer | null {
  let rest = bytes;
  try {
    while (rest.length > 0) rest = rest.subarray(writeSync(descriptor, rest));
    return rest;
  } catch (error) {
    return isFullPipe(error) ? rest : null;
  }
}

function writeAtExit(descriptor: number, bytes: Buffer): void {
  const ends_at = performance.now() + EXIT_MS_MAX;
  let rest = writeToPipe(descriptor, bytes);
  while (rest !== null && rest.length > 0 && performance.now() < ends_at) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, FULL_PIPE_MS);
    rest = writeToPipe(descriptor, rest);
  }
}

function lostLine(count: number): string {
  if (count === 0) return '';
  const line = { level: 'warn', time: new Date().toISOString(), count, msg: 'lines of this log are lost' };
  // The previous line may have been written in part: begin a new one.
  return `\n${JSON.stringify(line)}\n`;
}

/** Standard output of this process. */
export const standardOutput = logOutput(1);
