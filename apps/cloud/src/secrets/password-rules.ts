import { PRODUCT } from '@albedo/contract/product';
import { invalid } from '../errors/request-issues.ts';

/** Whose password it is to be. */
export interface Person {
  name: string;
  email: string;
}

/** Letters that people write as something else. */
const LEET: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};
/** What is left of a password without the words of its person has to be this long. */
const LEFT_OVER = 8;
const SHORTEST_WORD = 3;
/** Fewer different characters are no password, however long. */
const DIFFERENT = 4;

let common: Promise<ReadonlySet<string>> | null = null;

/** About 50,000 passwords that breaches brought to light, small letters; read at the first question. */
const commonPasswords = (): Promise<ReadonlySet<string>> => {
  common ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common'] as readonly string[]),
  );
  return common;
};

/**
 * Throws `request.invalid` for a password that is guessed first: a common or breached one, also with a number behind it
 * or letters written as numbers, and one that is little more than the person's own name, address or the product's name.
 */
export async function demandGoodPassword(password: string, person: Person, path = 'password'): Promise<void> {
  const text = password.normalize('NFC').toLowerCase();
  const known = await commonPasswords();
  const unleeted = text.replace(/[0134578@$!]/g, (letter) => LEET[letter] ?? letter);
  const stem = text.replace(/[^\p{L}]+$/u, '').replace(/^[^\p{L}]+/u, '');
  const guesses = [text, unleeted, stem, unleetedStem(text)];
  const isPlain = new Set(text).size < DIFFERENT || isRun(text);
  if (isPlain || guesses.some((guess) => known.has(guess))) throw invalid('issue.password_common', {}, path);
  const left = wordsOf(person).reduce((rest, word) => rest.replaceAll(word, ''), text);
  if (left.length < Math.min(LEFT_OVER, text.length)) throw invalid('issue.password_own', {}, path);
}

/** `p4ssw0rd2026!` is `password` with something behind it. */
function unleetedStem(text: string): string {
  const head = text.replace(/[^\p{L}]+$/u, '');
  return head.replace(/[0134578@$!]/g, (letter) => LEET[letter] ?? letter);
}

/** `abcdefgh`, `87654321`: each character follows the one before. */
function isRun(text: string): boolean {
  const steps = new Set(
    [...text].slice(1).map((letter, at) => (letter.codePointAt(0) ?? 0) - (text.codePointAt(at) ?? 0)),
  );
  const [step] = steps;
  return steps.size === 1 && step !== undefined && Math.abs(step) <= 1;
}

function wordsOf({ name, email }: Person): string[] {
  const [local = '', domain = ''] = email.toLowerCase().split('@');
  const words = [...name.toLowerCase().split(/[^\p{L}\p{N}]+/u), ...local.split(/[^\p{L}\p{N}]+/u)];
  return [...words, local, domain.split('.')[0] ?? '', PRODUCT.toLowerCase()]
    .filter((word) => word.length >= SHORTEST_WORD)
    .toSorted((a, b) => b.length - a.length);
}
