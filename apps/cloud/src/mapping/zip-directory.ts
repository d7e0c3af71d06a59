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

/** Null where there is no directory, it is cut off, or it is that of a file over 4 GB. */
export function zipDirectory(bytes: Buffer): ZipPart[] | null {
  const end = endOf(bytes);
  if (end < 0) return null;
  const count = bytes.readUInt16LE(end + 10);
  let at = bytes.readUInt32LE(end + 16);
  const parts: ZipPart[] = [];
  for (let i = 0; i < count; i++) {
    if (at + ENTRY_BYTES > bytes.length || bytes.readUInt32LE(at) !== ENTRY) return null;
    const [packed, unpacked] = [bytes.readUInt32LE(at + 20), bytes.readUInt32LE(at + 24)];
    const length = bytes.readUInt16LE(at + 28);
    const more = bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
    // Sizes that do not fit stand elsewhere: nobody sends so much honestly.
    if (packed === 0xffffffff || unpacked === 0xffffffff) return null;
    // Something does not come of nothing, nor nothing of more than an end mark: the part itself would be believed then.
    if (packed === 0 ? unpacked > 0 : unpacked === 0 && packed > 2) return null;
    parts.push({
      name: bytes.toString('utf8', at + ENTRY_BYTES, at + ENTRY_BYTES + length),
      packed,
      unpacked,
    });
    at += ENTRY_BYTES + length + more;
  }
  return parts;
}

function endOf(bytes: Buffer): number {
  const least = Math.max(0, bytes.length - END_BYTES - COMMENT_BYTES);
  for (let at = bytes.length - END_BYTES; at >= least; at--) if (bytes.readUInt32LE(at) === END) return at;
  return -1;
}
