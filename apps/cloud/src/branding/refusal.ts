import { type IssueName, issueText } from '@albedo/contract/failures/issues';
import { AppError } from '../errors/app-error.ts';

/** An image that cannot be used, with the reason by its name in the catalogue. */
export function refusal(issue: IssueName, facts: Record<string, string> = {}): AppError {
  const message = issueText(issue, facts);
  return new AppError('branding.image_invalid', { why: message }, [{ path: '', message, issue, facts }]);
}
