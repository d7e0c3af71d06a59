import { type Found, foundOf } from '../house/finding.ts';

interface Webhook {
  name: string;
  failingSince: Date | null;
  offReason: string | null;
  lastError: string | null;
}

/** The finding about webhooks that fail, or were turned off for it; null where all of them work. */
export const failingWebhooks = (webhooks: readonly Webhook[]): Found | null =>
  foundOf(
    'danger',
    webhooks
      .filter(({ failingSince, offReason }) => failingSince !== null || offReason !== null)
      .map(({ name, failingSince, lastError }) => ({
        name,
        text: lastError,
        at: failingSince?.getTime() ?? null,
      })),
  );
