import { storableText } from '@albedo/postgres/storable';
import { pathForLog } from '../errors/plain.ts';

/** What is removed, and what replaces it. Each pattern goes over the text once. */
const SECRETS: readonly (readonly [RegExp, string])[] = [
  // Addresses lose query and fragment: these hold what people typed, and tokens.
  [/\b([a-z][\w+.-]{1,20}:\/\/)[^\s/@?#]{1,200}@/gi, '$1'],
  [/(\/[^\s?#()'"<>]{0,300})[?#][^\s()'"<>:]{1,2000}/g, '$1'],
  [/[\w.+%-]{1,64}(?:@|%40)[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/gi, '[address]'],
  [/\beyJ[\w-]{8,}(?:\.[\w-]+){0,4}/g, '[secret]'],
  [/\b(bearer|basic)\s+[\w.~+/=-]{6,}/gi, '$1 [secret]'],
  [
    /\b([\w-]{0,30}(?:token|password|passwd|secret|authorization|api-?key|signature))(["']?\s{0,3}[=:]\s{0,3}["']?)[^\s"'&,;)}]{1,500}/gi,
    '$1$2[secret]',
  ],
  [/[\w~-]{40,}/g, '[secret]'],
];

/** A text from a browser without secrets and mail addresses. */
export function scrubbed(text: string): string {
  let kept = storableText(text).replace(CONTROL, ' ');
  for (const [pattern, instead] of SECRETS) kept = kept.replace(pattern, instead);
  return kept;
}

/** The path of an address without secrets; a part with a mail address in it is replaced whole. */
export const scrubbedPath = (location: string): string =>
  scrubbed(pathForLog(location)).replace(/[^/]*(?:@|%40)[^/]*/gi, '[address]');

/** Control characters except line ends and tabs, and characters that reverse the direction of writing. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
const CONTROL = /[\u0001-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;
