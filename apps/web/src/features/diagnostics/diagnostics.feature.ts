import type { Feature } from '../../app/feature.ts';
import { reportError } from './diagnostics.queries.ts';

/** Tells the server of failures that people would not tell of. */
export const diagnostics = { report: reportError } as const satisfies Feature;
