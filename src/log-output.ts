import { write, writeSync } from 'node:fs';

const HELD_CHARACTERS_MAX = 64 * 1024;
/** Buffer limit for a slow or full disk: further lines are dropped. */
const WAITING_CHARACTERS_MAX = 1024 * 1024;
const HELD_MS_MAX = 1000;

export type LogOutput = { write: (line: string) => void };

/**
 * Buffers log lines and writes many at once, because each write wakes a thread, which costs more than serving the request that the
 * line describes. Never throws and never blocks: lines that cannot be written are dropped and counted, since a full disk must not
 * end the service. On exit the buffer is written synchronously.
 */
export function logOutput(descriptor: number): LogOutput {
  let lines: string[] = [];
  let characters = 0;
  let lost_lines = 0;
  let is_writing = false;
  let timer: NodeJS.Timeout | undefined;

  const take = () => {
    const text = `${lostLine(lost_lines)}${lines.join('')}`;
    const taken = { bytes: Buffer.from(text), count: lines.length, lost_before: lost_lines };
    [lines, characters, lost_lines] = [[], 0, 0];
    return taken;
  };
  const handOver = () => {
    clearTimeout(timer);
    timer = undefined;
    if (is_writing || lines.length === 0) return;
    is_writing = true;
    const { bytes, count, lost_before } = take();
    writeWhole(descriptor, bytes, (is_written) => {
      is_writing = false;
      if (!is_written) lost_lines += count + lost_before;
      if (characters >= HELD_CHARACTERS_MAX) handOver();
      else if (lines.length > 0) timer ??= setTimeout(handOver, HELD_MS_MAX).unref();
    });
  };
  process.on('exit', () => {
    if (lines.length > 0) writeAtExit(descriptor, take().bytes);
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

/** One write may accept only a part of the bytes. */
function writeWhole(descriptor: number, bytes: Buffer, then: (is_written: boolean) => void): void {
  write(descriptor, bytes, (error, written) => {
    if (error !== null) then(false);
    else if (written < bytes.length) writeWhole(descriptor, bytes.subarray(written), then);
    else then(true);
  });
}

function writeAtExit(descriptor: number, bytes: Buffer): void {
  try {
    writeSync(descriptor, bytes);
  } catch {
    return;
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
