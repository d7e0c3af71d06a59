import { invalid } from '../errors/request-issues.ts';
import { OutsideError, type OutsideFetch } from './outside-fetch.ts';

/**
 * Says at once, and not after days, that an address will never be called. Throws `issue.webhook_address`,
 * `issue.webhook_refused`.
 */
export async function demandWebhookAddress(
  gate: Pick<OutsideFetch, 'demandOpen'>,
  address: string,
): Promise<void> {
  if (!URL.canParse(address)) throw invalid('issue.webhook_address', {}, 'address');
  try {
    await gate.demandOpen(new URL(address));
  } catch (error) {
    if (!(error instanceof OutsideError)) throw error;
    throw invalid('issue.webhook_refused', { why: error.message }, 'address');
  }
}
