import { z } from 'zod';
import { ONE_LINE } from '../http/one-line.ts';
import { email } from '../sessions/sessions.schema.ts';
import { workgroupName } from '../workgroups/workgroups.schema.ts';

const field = (max: number) => z.string().trim().min(1, 'Required').max(max);
const line = (max: number) => field(max).regex(...ONE_LINE);

const MB = 1_000_000;
/** What may be attached to a ticket, bytes. */
export const SUPPORT_FILES = { count: 10, fileBytes: 10 * MB, totalBytes: 25 * MB } as const;

/** Longest address of a page in a ticket. */
export const TICKET_URL_LENGTH = 2000;

/** Fields of a support ticket. Source: specification 1, sections 3 and 5. */
export const supportTicket = z.object({
  name: line(120),
  email: field(254).pipe(email),
  /** The page it is written on. */
  url: z.string().trim().max(TICKET_URL_LENGTH).default(''),
  /** The workgroup it is about, one of the user's; left out where it is about none. */
  workgroupId: workgroupName.optional(),
  subject: line(200),
  body: field(20_000),
});
export type SupportTicket = z.input<typeof supportTicket>;

export const ticketFile = z.object({
  _id: z.uuid(),
  name: z.string(),
  type: z.string(),
  size: z.number().int(),
});
export type TicketFile = z.infer<typeof ticketFile>;

/** A ticket as the staff sees it. */
export const storedTicket = z.object({
  _id: z.uuid(),
  /** As `taskId` of the answer to the person who wrote it. */
  taskId: z.string(),
  name: z.string(),
  email: z.string(),
  /** E-mail of the account it was written with. */
  accountEmail: z.string(),
  url: z.string(),
  workgroupId: z.string().nullable(),
  subject: z.string(),
  body: z.string(),
  files: z.array(ticketFile),
  status: z.enum(['open', 'closed']),
  /** E-mail of who of the staff takes care of it. */
  assignee: z.string().nullable(),
  /** Epoch ms, as the next one. */
  createdAt: z.number().int(),
  closedAt: z.number().int().nullable(),
  closedBy: z.string().nullable(),
});
export type StoredTicket = z.infer<typeof storedTicket>;

/** `assign` true: the caller takes care of it from now on; false: nobody does. */
export const ticketChange = z.object({ status: z.enum(['open', 'closed']), assign: z.boolean() }).partial();
export type TicketChange = z.infer<typeof ticketChange>;

export const onTicket = z.object({ ticket: z.uuid() });
export const onTicketFile = onTicket.extend({ file: z.uuid() });
