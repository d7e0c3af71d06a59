/** How many days the counts of browser errors and pages are kept. */
export const DIAGNOSTIC_DAYS = 90;
/** How far back the use of pages can be shown, days. */
export const USE_DAYS = ['7', '30', '90'] as const;
/** How many days the small bars in the list of errors show. */
export const BAR_DAYS = 30;
/** Findings cover this many days. */
export const FINDING_DAYS = 7;

/**
 * Kinds of findings, in the order in which they are shown. A feature announces each of its kinds twice: as `findings` in the
 * cloud, and as `findings` in the web, with the words and the link.
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
