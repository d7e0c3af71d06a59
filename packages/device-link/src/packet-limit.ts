import type { Socket } from 'node:net';

/** A length has four bytes at most, seven bits each: MQTT 3.1.1, section 2.2.3. */
const LENGTH_BYTES = 4;

/**
 * Ends the connection at a packet that says of itself that it is longer than `limit` bytes, before the rest of it is waited
 * for. The broker reads by `read`; nothing is copied or held back.
 */
export function limitPackets(socket: Socket, limit: number): void {
  const read = socket.read.bind(socket);
  const fits = packetReader(limit);
  socket.read = (size?: number): Buffer | null => {
    const bytes = read(size) as Buffer | null;
    if (!bytes || fits(bytes)) return bytes;
    socket.destroy(new Error('packet too large'));
    return null;
  };
}

/** Follows the packets of a stream; false at the first one that is too long. */
function packetReader(limit: number): (bytes: Uint8Array) => boolean {
  let left = 0;
  /** Bytes of the length that were read; null before the type of the packet. */
  let digits: number | null = null;
  return (bytes) => {
    for (let at = 0; at < bytes.length; ) {
      if (digits === null && left > 0) {
        const skipped = Math.min(left, bytes.length - at);
        left -= skipped;
        at += skipped;
        continue;
      }
      const byte = bytes[at++] as number;
      if (digits === null) {
        digits = 0;
        continue;
      }
      left += (byte & 0x7f) * 128 ** digits++;
      if (left > limit || digits > LENGTH_BYTES) return false;
      if (byte < 0x80) digits = null;
    }
    return true;
  };
}
