/** A sentence of NMEA 0183 without its checksum: `WIMWV` and its cells. */
export interface Sentence {
  /** The last three letters of the first cell. */
  kind: string;
  cells: string[];
}

/** Characters that a sentence has at most; the standard has 82, and stations send more. */
const MOST = 400;

/** The sentences in a piece of text; those that were damaged are left out, and counted. */
export function sentencesIn(text: string): { sentences: Sentence[]; damaged: number } {
  const sentences: Sentence[] = [];
  let damaged = 0;
  for (const line of text.split(/\r?\n/)) {
    const [, body = '', said] = /\$([^$*\r\n]+)(?:\*([0-9A-Fa-f]{2}))?\s*$/.exec(line.slice(0, MOST)) ?? [];
    if (body === '') continue;
    if (said !== undefined && Number.parseInt(said, 16) !== checksum(body)) {
      damaged++;
      continue;
    }
    const [address = '', ...cells] = body.split(',').map((cell) => cell.trim());
    sentences.push({ kind: address.slice(-3), cells });
  }
  return { sentences, damaged };
}

/** The exclusive-or of all characters between `$` and `*`. Source: NMEA 0183, section 5.3. */
export function checksum(body: string): number {
  let check = 0;
  for (const letter of body) check ^= letter.charCodeAt(0);
  return check;
}
