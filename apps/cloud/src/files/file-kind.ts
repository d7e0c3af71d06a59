/** How the bytes of a file begin that has this ending, in hexadecimal. */
const SIGNATURES: Readonly<Record<string, RegExp>> = {
  png: /^89504e470d0a1a0a/,
  'jpg jpeg': /^ffd8ff/,
  gif: /^47494638(37|39)61/,
  webp: /^52494646.{8}57454250/,
  bmp: /^424d/,
  pdf: /^(.{2}){0,1000}?255044462d/,
  'zip jar docx xlsx pptx odt ods': /^504b(0304|0506|0708)/,
  'gz tgz': /^1f8b/,
  bz2: /^425a68/,
  xz: /^fd377a585a00/,
  zst: /^28b52ffd/,
  '7z': /^377abcaf271c/,
  parquet: /^50415231/,
  'mp4 mov': /^.{8}(66747970|6d6f6f76|6d646174|77696465|66726565|736b6970)/,
};
/** Texts hold no zero byte, unless they say that they are of 16 bits. */
const TEXTS = 'txt csv tsv json ndjson yaml yml xml svg html htm md ini conf toml sql sh py pem';
const TEXT = /^(fffe|feff|((?!00)..)*$)/;

const BY_ENDING = new Map<string, RegExp>(
  [...Object.entries(SIGNATURES), [TEXTS, TEXT] as const].flatMap(([endings, pattern]) =>
    endings.split(' ').map((ending) => [ending, pattern] as const),
  ),
);

/** Bytes of its begin that tell the kind of a file. */
export const HEAD_BYTES = 1024;

/**
 * The ending of a name that the bytes contradict; null where they fit, and where nothing is known of such files, which are never
 * opened here and leave as bytes. An empty file is of every kind.
 */
export function brokenPromise(name: string, head: Buffer): string | null {
  const ending = /\.([a-z0-9]{1,10})$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  const pattern = BY_ENDING.get(ending);
  if (!pattern || head.length === 0) return null;
  return pattern.test(head.subarray(0, HEAD_BYTES).toString('hex')) ? null : ending;
}
