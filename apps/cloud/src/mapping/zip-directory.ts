/** What the directory at the end of a ZIP file says of its parts, before any of them is unpacked. */
export interface ZipPart {
  name: string;
  packed: number;
  unpacked: number;
}

const END = 0x06054b50;
const ENTRY = 0x02014b50;
const END_BYTES = 22;
const ENTRY_BYTES = 46;
const COMMENT_BYTES = 65_535;
const LOCAL = 0x04034b50;
const LOCAL_BYTES = 30;
/** What says that a number stands elsewhere, in more bytes. */
const [SHORT, LONG] = [0xffff, 0xffffffff];
/** Flag of a part whose sizes stand behind it. */
const SIZES_FOLLOW = 8;
/** Nothing, packed. */
const END_MARK_BYTES = 2;

/** Null where there is no directory, it is cut off, it is that of a file over 4 GB, or its parts may be larger than it says. */
export function zipDirectory(bytes: Buffer): ZipPart[] | null {
  const end = endOf(bytes);
  if (end < 0) return null;
  const count = bytes.readUInt16LE(end + 10);
  const start = bytes.readUInt32LE(end + 16);
  // What does not fit stands elsewhere: nobody sends so much honestly.
  if (count === SHORT || bytes.readUInt32LE(end + 12) === LONG || start === LONG) return null;
  let at = start;
  const parts: ZipPart[] = [];
  for (let i = 0; i < count; i++) {
    if (at + ENTRY_BYTES > bytes.length || bytes.readUInt32LE(at) !== ENTRY) return null;
    const [packed, unpacked] = [bytes.readUInt32LE(at + 20), bytes.readUInt32LE(at + 24)];
    const length = bytes.readUInt16LE(at + 28);
    const more = bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
    const place = bytes.readUInt32LE(at + 42);
    if (packed === LONG || unpacked === LONG || place === LONG) return null;
    const flags = bytes.readUInt16LE(at + 8);
    if ((packed === 0 || unpacked === 0) && !isNothing(bytes, { packed, unpacked, flags, place }))
      return null;
    parts.push({
      name: bytes.toString('utf8', at + ENTRY_BYTES, at + ENTRY_BYTES + length),
      packed,
      unpacked,
    });
    at += ENTRY_BYTES + length + more;
  }
  return parts;
}

/** Whether an empty part is that: something does not come of nothing, and the part itself says no other sizes, nor after its end. */
function isNothing(
  bytes: Buffer,
  { packed, unpacked, flags, place }: { packed: number; unpacked: number; flags: number; place: number },
): boolean {
  if (unpacked > 0 || packed > END_MARK_BYTES || (flags & SIZES_FOLLOW) !== 0) return false;
  if (place + LOCAL_BYTES > bytes.length || bytes.readUInt32LE(place) !== LOCAL) return false;
  if ((bytes.readUInt16LE(place + 6) & SIZES_FOLLOW) !== 0) return false;
  return bytes.readUInt32LE(place + 18) === packed && bytes.readUInt32LE(place + 22) === 0;
}

function endOf(bytes: Buffer): number {
  const least = Math.max(0, bytes.length - END_BYTES - COMMENT_BYTES);
  for (let at = bytes.length - END_BYTES; at >= least; at--) if (bytes.readUInt32LE(at) === END) return at;
  return -1;
}
