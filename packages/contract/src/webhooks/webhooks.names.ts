/** The events of webhooks by area, in the order of the form. */
export const WEBHOOK_AREAS = {
  incidents: [
    'incident.opened',
    'incident.reopened',
    'incident.acknowledged',
    'incident.cleared',
    'incident.closed',
  ],
  presence: ['device.online', 'device.offline'],
  rows: ['table.rows'],
  reports: ['report.ready'],
  configuration: ['device.configured', 'service.configured'],
} as const;

export type WebhookArea = keyof typeof WEBHOOK_AREAS;
export type WebhookEvent = (typeof WEBHOOK_AREAS)[WebhookArea][number];
export const WEBHOOK_EVENTS = Object.values(WEBHOOK_AREAS).flat() as WebhookEvent[];

export const WEBHOOK_LIMITS = {
  /** Webhooks of a workgroup. */
  webhooks: 20,
  /** Tables whose new rows a webhook gets. */
  tables: 20,
  /** Messages that wait for a webhook; beyond that the oldest are dropped. */
  waiting: 10_000,
  /** Bytes of these messages together. */
  waitingBytes: 100_000_000,
  /** Rows and sources in a message about new rows; its `count` counts all. */
  rows: 500,
  sources: 100,
  /** Bytes of the rows in a message; rows that do not fit are left out. */
  bytes: 256_000,
} as const;

/** How long messages are still signed with the old secret too after a new one was made. */
export const OLD_SECRET_HOURS = 24;
/** Version of the payload; it rises when receivers have to change. */
export const WEBHOOK_VERSION = 1;
