import { z } from 'zod';
import { DIAGNOSTIC_DAYS, FINDING_KINDS, USE_DAYS } from './diagnostics.names.ts';

/** A path of the web app, without query and fragment: those may hold what people typed. */
const location = z
  .string()
  .max(500)
  .regex(/^\/[^?#]*$/, 'A location is a path in the web app without a query.');

/**
 * A visit to a page or, with `seconds`, how long somebody looked at it. `page` is its address without ids, such as
 * `/devices/$deviceId/general`.
 */
export const pageView = z.object({
  location,
  page: location.max(200).optional(),
  seconds: z.int().min(1).max(3600).optional(),
});
export type PageView = z.infer<typeof pageView>;

/** What went wrong in a browser. Source: specification 1, section 8. */
export const frontendError = z.object({
  location,
  message: z.string().min(1).max(1000),
  stack: z.string().max(8000),
  /** Where in the app it was noticed, and its version. */
  context: z.object({ source: z.string().max(60), version: z.string().max(40) }),
});
export type FrontendError = z.infer<typeof frontendError>;

const counted = z.object({ name: z.string(), count: z.int() });

/** An error that browsers report, grouped by message and place in the code. Its texts come from outside: never trust them. */
export const browserError = z.object({
  id: z.string(),
  message: z.string(),
  /** The files of the app in the stack, innermost first; empty if it names none. */
  place: z.string(),
  /** What caught it, such as `window`, `promise` or `screen`. */
  source: z.string(),
  /** Reports that match the filter of the list, within `DIAGNOSTIC_DAYS`. */
  count: z.int(),
  /** Reports by day, UTC, oldest first: the last one is today. */
  days: z.array(z.int()),
  /** Epoch ms. */
  firstAt: z.int(),
  lastAt: z.int(),
  firstVersion: z.string(),
  lastVersion: z.string(),
  versions: z.array(z.string()),
  workgroups: z.array(z.string()),
  browsers: z.array(z.string()),
  /** `returned`: open again after somebody had resolved it. */
  state: z.enum(['open', 'resolved', 'returned']),
  resolvedAt: z.int().nullable(),
  resolvedBy: z.string().nullable(),
  returnedIn: z.string().nullable(),
});
export type BrowserError = z.infer<typeof browserError>;

export const browserErrorDetail = browserError.extend({
  /** The newest stack, without secrets. */
  stack: z.string(),
  byVersion: z.array(counted),
  byWorkgroup: z.array(counted),
  byBrowser: z.array(counted),
  places: z.array(z.object({ workgroup: z.string(), location: z.string(), count: z.int(), lastAt: z.int() })),
});
export type BrowserErrorDetail = z.infer<typeof browserErrorDetail>;

export const errorFilter = z.object({
  version: z.string().max(40).optional(),
  ofWorkgroup: z.string().max(100).optional(),
});
export const onBrowserError = z.object({ browserError: z.string().max(64) });

export const pagesQuestion = z.object({
  days: z.enum(USE_DAYS).default('30'),
  ofWorkgroup: z.string().max(100).optional(),
});

/** How a page or a workgroup was used in the chosen time. */
const use = z.object({
  visits: z.int(),
  people: z.int(),
  /** How long people looked at it, s. */
  seconds: z.int(),
  /** Visits by day, UTC, oldest first. */
  days: z.array(z.int()).max(DIAGNOSTIC_DAYS),
});

export const pagesByUse = z.object({
  all: use,
  /** Most visited first. */
  pages: z.array(use.extend({ page: z.string() })),
  workgroups: z.array(use.extend({ workgroup: z.string() })),
});
export type PagesByUse = z.infer<typeof pagesByUse>;

/** A problem that somebody who looks after the workgroup should see to. */
export const finding = z.object({
  kind: z.enum(FINDING_KINDS),
  count: z.int(),
  /** `danger`: something is lost or has stopped already. */
  level: z.enum(['warning', 'danger']),
  /** The newest few. */
  examples: z.array(
    z.object({
      name: z.string(),
      /** The device to look at. */
      device: z.uuid().nullable(),
      /** The reason, as the failed part gave it. */
      text: z.string().nullable(),
      /** How much, in the unit of the kind. */
      amount: z.int().nullable(),
      /** When it was, or when it ends; epoch ms. */
      at: z.int().nullable(),
    }),
  ),
});
export type Finding = z.infer<typeof finding>;

export const findings = z.object({
  findings: z.array(finding),
  /** All kinds that were checked for this person. */
  looked: z.array(z.enum(FINDING_KINDS)),
  /** Kinds that could not be checked now. */
  unknown: z.array(z.enum(FINDING_KINDS)),
});
export type Findings = z.infer<typeof findings>;
