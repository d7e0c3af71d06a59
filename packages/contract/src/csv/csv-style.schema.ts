import { z } from 'zod';
import { generalIssues, issuesOf } from '../http/issues.ts';
import { isTimeZone } from '../time/zoned-time.ts';
import { CSV_DELIMITERS, DECIMAL_SIGNS, SITE_ZONE } from './csv.names.ts';

const ownIssue = issuesOf(generalIssues);

/** What a caller is told to choose among. */
const ZONES = `${SITE_ZONE}, UTC, Europe/Berlin, …`;

/** How a file of CSV is written. What is left out is that of RFC 4180 and ISO 8601. */
export const csvStyle = z
  .object({
    delimiter: z.enum(CSV_DELIMITERS).default(','),
    decimal: z.enum(DECIMAL_SIGNS).default('.'),
    /** A byte order mark, by which spreadsheets know UTF-8. */
    bom: z.boolean().default(false),
    /** `iso` has the offset in each time; `clock` is what spreadsheets take for a time, with the offset in a column beside it. */
    times: z.enum(['iso', 'clock']).default('iso'),
    /** A zone, or `site`. */
    timezone: z.string().min(1).max(100).default('UTC'),
    /** Units behind the names of the columns. */
    units: z.boolean().default(true),
    /** Names of devices beside their ids. */
    names: z.boolean().default(true),
  })
  .superRefine(({ delimiter, decimal, timezone }, context) => {
    if (delimiter === decimal)
      context.addIssue(ownIssue(['decimal'], 'issue.choice', { choices: delimiter === ',' ? '.' : ',' }));
    if (timezone !== SITE_ZONE && !isTimeZone(timezone))
      context.addIssue(ownIssue(['timezone'], 'issue.choice', { choices: ZONES }));
  });

/** The same in the query of an address, as JSON. */
export const csvStyleText = z
  .string()
  .max(1000)
  .transform((text, context) => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      context.addIssue(ownIssue([], 'issue.json'));
      return z.NEVER;
    }
  })
  .pipe(csvStyle);
export type CsvStyle = z.output<typeof csvStyle>;
