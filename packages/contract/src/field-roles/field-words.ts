/**
 * The words of a name in lower case with single spaces, however its maker joined them: `TotWhImp` is `tot wh imp`,
 * `E-Total` is `e total`, `AC_Power` is `ac power`, `Modul-Temperatur` is `modul temperatur`.
 */
export function wordsOf(name: string): string {
  const spaced = name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/ß/g, 'ss')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    // `TotWhImp`: a capital after a small letter begins a word; `WHImp`, `ACPower`: so does the last of several.
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu}+)(\p{Lu}\p{Ll})/gu, '$1 $2')
    .replace(/(\p{L})(\d)/gu, '$1 $2')
    .trim()
    .toLowerCase();
  return JOINED.reduce((words, [pattern, to]) => words.replace(pattern, to), spaced)
    .replace(/\s+/g, ' ')
    .trim();
}

/** Short names that makers write in one, and units that the splitting took apart. */
const JOINED: readonly (readonly [RegExp, string])[] = [
  [/\bp ac\b/g, 'pac'],
  [/\bp dc\b/g, 'pdc'],
  [/\bp pv\b/g, 'ppv'],
  [/\bu dc\b/g, 'udc'],
  [/\bi dc\b/g, 'idc'],
  [/\bk wh\b/g, 'kwh'],
  [/\bm wh\b/g, 'mwh'],
  [/\bw h\b/g, 'wh'],
  [/\bk w\b/g, 'kw'],
  [/\bso c\b/g, 'soc'],
  [/\bdc w\b/g, 'dcw'],
  [/\bva r\b/g, 'var'],
  [/\betotal\b/g, 'e total'],
  [/\betoday\b/g, 'e today'],
  [/\beday\b/g, 'e day'],
  [/\bacpower\b/g, 'ac power'],
  [/\bdcpower\b/g, 'dc power'],
  [/\bfeedin\b/g, 'feed in'],
];
