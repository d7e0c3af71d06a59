import { TOKEN_LIVES, WARNING_DAYS } from '@albedo/contract/api-tokens/api-tokens.schema';
import type { ApiTokenRow } from './api-tokens.store.ts';

const DAY_MS = 86_400_000;
/** Of the shortest month, so that no warning comes with the token itself. */
const MONTH_DAYS = 28;

/** Which warnings of the end of a token are due. */
export const dueWarnings = {
  /** Nothing that ends later is warned of yet. */
  horizon: (now: Date): Date => new Date(now.getTime() + Math.max(...WARNING_DAYS) * DAY_MS),

  /** Days before the end, the latest first. A token that lives no longer than that is not warned of so early. */
  of({ expiry, expiresAt }: Pick<ApiTokenRow, 'expiry' | 'expiresAt'>, now: Date): number[] {
    const { days = 0, months = 0 }: { days?: number; months?: number } = TOKEN_LIVES[expiry];
    const life = days + months * MONTH_DAYS;
    const leftMs = expiresAt.getTime() - now.getTime();
    return WARNING_DAYS.filter((day) => day < life && leftMs <= day * DAY_MS).sort((a, b) => a - b);
  },
};
