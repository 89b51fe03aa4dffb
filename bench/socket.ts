import { connect, type Socket } from 'node:net';
import { LOOPBACK } from '../src/dev/ports.ts';

/** All sockets share it: what one has read is looked at before another reads. */
const READ_BUFFER = Buffer.allocUnsafeSlow(65_536);

/** Connects, and tells of each answer when its last byte is there: null for a 2xx, otherwise how it begins. */
export function openSocket(port: number, answered: (fault: string | null) => void): Socket {
  const read = createResponseReader(answered);
  const callback = (bytes: number) => {
    read(READ_BUFFER.subarray(0, bytes));
    return true;
  };
  // Past the stream, which takes as long as all else that is done here for an answer.
  return connect({ port, host: LOOPBACK, noDelay: true, onread: { buffer: READ_BUFFER, callback } });
}

/** Reads answers chunk by chunk; of a chunk nothing is kept after the call. */
function createResponseReader(answered: (fault: string | null) => void): (chunk: Buffer) => void {
  let head: Buffer | null = null;
  let fault: string | null = null;
  let missing_bytes: number | null = null;
  return (chunk) => {
    if (missing_bytes === null) {
      const bytes = head === null ? chunk : Buffer.concat([head, chunk]);
      const end = bytes.indexOf('\r\n\r\n');
      if (end === -1) {
        head = Buffer.from(bytes);
        return;
      }
      const text = bytes.toString('latin1', 0, end);
      const length = /\r\ncontent-length: *(\d+)/i.exec(text)?.[1];
      if (length === undefined) return answered('without a Content-Length');
      fault = text.startsWith('HTTP/1.1 2') ? null : bytes.toString('utf8', 9, 500);
      missing_bytes = Number(length) - (bytes.length - end - 4);
    } else {
      missing_bytes -= chunk.length;
    }
    if (missing_bytes > 0) return;
    head = null;
    missing_bytes = null;
    answered(fault);
  };
}
