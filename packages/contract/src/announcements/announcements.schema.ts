import { z } from 'zod';
import { ONE_LINE } from '../http/one-line.ts';
import { workgroupName } from '../workgroups/workgroups.schema.ts';

const instant = z.iso.datetime({
  offset: true,
  error: 'Enter a date with a time, such as 2026-11-21T14:00:00Z.',
});

/** An announcement to everybody, or to the members of some workgroups. Source: specification 1, section 3. */
export const announcement = z.object({
  _id: z.uuid(),
  title: z.string(),
  /** ISO, as the next one; it is new from the one to the other. */
  startDate: z.string(),
  endDate: z.string(),
  /** Whether the user who asks dismissed it. */
  isAcknowledged: z.boolean(),
  /** Address on this server; null without a picture. */
  thumbnailUrl: z.string().nullable(),
  bodyMarkdown: z.string(),
});
export type Announcement = z.infer<typeof announcement>;

/** As the staff sees it: only the staff knows who else it is for. */
export const storedAnnouncement = announcement.extend({
  /** Names of the workgroups whose members see it; null for everybody. */
  workgroups: z.array(z.string()).nullable(),
});
export type StoredAnnouncement = z.infer<typeof storedAnnouncement>;

/** What an author writes. */
export const announcementDraft = z
  .object({
    title: z
      .string()
      .trim()
      .min(1, 'Required')
      .max(120)
      .regex(...ONE_LINE),
    startDate: instant,
    endDate: instant,
    bodyMarkdown: z.string().trim().min(1, 'Required').max(20_000),
    /** Names of the workgroups whose members see it; null for everybody. */
    workgroups: z
      .array(workgroupName)
      .min(1, 'Choose at least one workgroup.')
      .max(1000)
      .nullable()
      .default(null),
  })
  // A text that is not a date is reported as such, and compares to nothing.
  .refine(({ startDate, endDate }) => !(Date.parse(startDate) >= Date.parse(endDate)), {
    path: ['endDate'],
    message: 'The end must be after the start.',
  });
export type AnnouncementDraft = z.infer<typeof announcementDraft>;

export const onAnnouncement = z.object({ announcement: z.uuid() });
