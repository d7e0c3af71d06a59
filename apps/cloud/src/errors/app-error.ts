import {
  type ErrorName,
  errorCatalog,
  errorCode,
  errorText,
  factsInText,
} from '@albedo/contract/failures/errors';
import type { ErrorBody } from '@albedo/contract/http/errors';
import type { RequestIssue } from '@albedo/contract/http/issues';

/**
 * An expected failure. The name is the contract (status and sentence come from the catalogue); the facts fill the
 * sentence and go to the log. `issues` are what is wrong with which field, for a client that says it in its own words.
 */
export class AppError extends Error {
  readonly error: ErrorName;
  readonly facts: Readonly<Record<string, unknown>>;
  readonly issues: readonly RequestIssue[];

  constructor(
    error: ErrorName,
    facts: Readonly<Record<string, unknown>> = {},
    issues: readonly RequestIssue[] = [],
  ) {
    super(errorText(error, facts));
    this.name = 'AppError';
    this.error = error;
    this.facts = facts;
    this.issues = issues;
  }

  get status(): number {
    return errorCatalog[this.error].status;
  }

  get body(): ErrorBody {
    const facts = factsInText(this.error, this.facts);
    const told = Object.keys(facts).length > 0 ? { facts } : {};
    const issues = this.issues.length > 0 ? { issues: [...this.issues] } : {};
    return { code: errorCode(this.error), message: this.message, error: this.error, ...told, ...issues };
  }
}
