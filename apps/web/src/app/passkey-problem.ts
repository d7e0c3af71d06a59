import type { TFunction } from 'i18next';
import { messageOf } from '../ui/message-of.ts';

/** What browsers call it, and what it means to people. */
const PROBLEMS: Readonly<Record<string, string>> = {
  NotAllowedError: 'passkeys.problems.cancelled',
  AbortError: 'passkeys.problems.cancelled',
  InvalidStateError: 'passkeys.problems.known',
  SecurityError: 'passkeys.problems.wrongHost',
  NotSupportedError: 'passkeys.problems.unsupported',
};

/** What went wrong, in a sentence: in ours for what the browser refused, in the server's for the rest. */
export function passkeyProblem(t: TFunction, error: unknown): string {
  if (!window.PublicKeyCredential) return t('passkeys.problems.unsupported');
  const key = error instanceof Error ? PROBLEMS[error.name] : undefined;
  return key ? t(key) : messageOf(error);
}
