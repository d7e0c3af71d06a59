/** What a webhook can be told of, by area, in the order in which people choose. */
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
  /** Of a workgroup. */
  webhooks: 20,
  /** Tables whose new rows one webhook gets. */
  tables: 20,
  /** Messages that wait for one webhook; the oldest go where more come. */
  waiting: 10_000,
  /** Bytes of them together. */
  waitingBytes: 100_000_000,
  /** Rows and sources that one message of new rows has; its count counts all. */
  rows: 500,
  sources: 100,
  /** Bytes that the rows of one message have together; those that do not fit are left out. */
  bytes: 256_000,
} as const;

/** What was signed with the old secret is still good for so long after a new one was made. */
export const OLD_SECRET_HOURS = 24;
/** Version of the payload: it rises where a receiver would have to change. */
export const WEBHOOK_VERSION = 1;
