import { SERIES_FUNCTIONS } from '../../telemetry/series-functions.ts';

/** What is made of the values of the time range; `latest` is the newest one and has no range. */
export const VALUE_FUNCTIONS = ['latest', ...SERIES_FUNCTIONS] as const;
export type ValueFunction = (typeof VALUE_FUNCTIONS)[number];
