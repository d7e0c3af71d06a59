/** Days that counts of browsers' failures and of pages are kept, and at most shown. */
export const DIAGNOSTIC_DAYS = 90;
/** How far back pages by use can be seen. */
export const USE_DAYS = ['7', '30', '90'] as const;
/** Days of small bars in the list of failures. */
export const BAR_DAYS = 30;
/** Findings count what happened within so many days. */
export const FINDING_DAYS = 7;

/**
 * What can be found in a workgroup, in the order in which it is shown. A feature finds what stands here by announcing it
 * twice: as `findings` in the cloud, and as a part `findings` in the web, which has the words and the way to it.
 */
export const FINDING_KINDS = [
  'gaps',
  'set-aside',
  'devices-kept-out',
  'device-certificates',
  'calculations',
  'external-sources',
  'history-imports',
  'channels',
  'deliveries',
  'webhooks',
  'mails',
  'jobs',
  'api-tokens',
  'sign-in-certificates',
] as const;
export type FindingKind = (typeof FINDING_KINDS)[number];
