import { z } from 'zod';

/** Rows of one page of the audit log: default and limit. */
export const AUDIT_ROWS = { default: 100, max: 1000 } as const;

const text = z.string().nullable();

/** One thing that happened. Source of the columns: domain/edge.md section 8. */
export const auditEntry = z.object({
  /** Names the entry, for paging and for lists. */
  id: z.string(),
  /** Epoch ms. */
  at: z.number().int(),
  /** The component that applied the change. */
  controller: z.string(),
  /** Identifier or name of the thing acted on. */
  entity: z.string(),
  /** UUID; null for what concerns no device. */
  device: z.uuid().nullable(),
  /** Its name of today; null for what concerns no device, and for a device that is gone. */
  deviceName: text,
  action: z.string(),
  attribute: text,
  oldValue: text,
  newValue: text,
  /** E-mail of who did it; null where the system did. */
  by: text,
  /** Client address it came from. */
  address: text,
  status: z.enum(['success', 'failed']),
});
export type AuditRow = z.infer<typeof auditEntry>;

const filter = z.string().trim().max(200).optional();

/** What is looked for. `from` is included, `to` is not; epoch ms. */
export const auditQuery = z.object({
  from: z.coerce.number().int().optional(),
  to: z.coerce.number().int().optional(),
  /** A part of the e-mail address. */
  by: filter,
  action: filter,
  controller: filter,
  /** Only what concerns this device. */
  device: z.uuid().optional(),
  /** A part of any text of the entry, or of the name of its device. */
  q: filter,
  /** The `next` of the page before. */
  before: z
    .string()
    .regex(/^\d{1,16}_\d{1,20}$/, 'before must be the next of another page.')
    .optional(),
  rows: z.coerce.number().int().min(1).max(AUDIT_ROWS.max).default(AUDIT_ROWS.default),
});
export type AuditQuery = z.output<typeof auditQuery>;

/** A page of entries, newest first. `next` leads to the following page; null on the last one. */
export const auditPage = z.object({ entries: z.array(auditEntry), next: z.string().nullable() });
export type AuditPage = z.infer<typeof auditPage>;

/** What there is to choose from, by name. */
export const auditChoices = z.object({ controllers: z.array(z.string()), actions: z.array(z.string()) });
