import {
  type ErrorBody,
  type ErrorName,
  errorCatalog,
  errorText,
  factsInText,
} from '@albedo/contract/http/errors';

/**
 * An expected failure. The name is the contract (status and sentence come from the catalogue); the facts fill the
 * sentence and go to the log.
 */
export class AppError extends Error {
  readonly error: ErrorName;
  readonly facts: Readonly<Record<string, unknown>>;

  constructor(error: ErrorName, facts: Readonly<Record<string, unknown>> = {}) {
    super(errorText(error, facts));
    this.name = 'AppError';
    this.error = error;
    this.facts = facts;
  }

  get status(): number {
    return errorCatalog[this.error].status;
  }

  get body(): ErrorBody {
    const facts = factsInText(this.error, this.facts);
    const told = Object.keys(facts).length > 0 ? { facts } : {};
    return { code: this.status, message: this.message, error: this.error, ...told };
  }
}
