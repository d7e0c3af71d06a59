import type { Feature } from '../../app/feature.ts';
import { reportError } from './diagnostics.queries.ts';

/** Reports failures to the server that people would not report. */
export const diagnostics = { report: reportError } as const satisfies Feature;
