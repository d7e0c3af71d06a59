import { z } from 'zod';

/** A path of the web app, without query and fragment: those may hold what people typed. */
const location = z
  .string()
  .max(500)
  .regex(/^\/[^?#]*$/, 'A location is a path in the web app without a query.');

export const pageView = z.object({ location });

/** What went wrong in a browser. Source: specification 1, section 8. */
export const frontendError = z.object({
  location,
  message: z.string().min(1).max(1000),
  stack: z.string().max(8000),
  /** Where in the app it was noticed, and its version. */
  context: z.object({ source: z.string().max(60), version: z.string().max(40) }),
});
export type FrontendError = z.infer<typeof frontendError>;
