import { connect, type Socket } from 'node:net';
import { LOOPBACK } from '../dev/ports.ts';

/** All sockets share it: bytes read by one are processed before the next socket reads. */
const READ_BUFFER = Buffer.allocUnsafeSlow(65_536);

/** Connects, and calls `answered` when the last byte of each response has arrived: null for a 2xx, otherwise the start of the response. */
export function openSocket(port: number, answered: (fault: string | null) => void): Socket {
  const read = createResponseReader(answered);
  const callback = (bytes: number) => {
    read(READ_BUFFER.subarray(0, bytes));
    return true;
  };
  // Bypasses the stream, which would take as long as all other work for a response.
  return connect({ port, host: LOOPBACK, noDelay: true, onread: { buffer: READ_BUFFER, callback } });
}

/** Parses responses chunk by chunk; copies what it keeps of a chunk, because the buffer is reused. */
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
