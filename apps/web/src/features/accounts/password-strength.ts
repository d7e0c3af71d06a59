export type StrengthLevel = 'error' | 'warning' | 'good';

/** Source: specification 1, section 9. */
const MINIMUM = 8;
const RECOMMENDED = 12;
const CLASSES = [/\d/, /\p{Lu}/u, /\p{Ll}/u, /[^\p{L}\d\s]/u];

/** Advice on a password; only the minimum length is demanded. Source: specification 1, section 5. */
export function lengthLevel(password: string): StrengthLevel {
  if (password.length < MINIMUM) return 'error';
  return password.length < RECOMMENDED ? 'warning' : 'good';
}

/** How many kinds of characters it has: digits, capital letters, small letters, symbols. */
export function complexityLevel(password: string): StrengthLevel {
  const kinds = CLASSES.filter((kind) => kind.test(password)).length;
  if (kinds < 2) return 'error';
  return kinds === 2 ? 'warning' : 'good';
}

export type PasswordProblem = 'required' | 'tooShort' | 'mismatch';

/** The first thing that is wrong with a new password and its repetition, null when nothing is. */
export function passwordProblem(password: string, confirmation: string): PasswordProblem | null {
  if (password === '') return 'required';
  if (password.length < MINIMUM) return 'tooShort';
  return password === confirmation ? null : 'mismatch';
}
