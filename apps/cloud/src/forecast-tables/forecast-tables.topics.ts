import { topic } from '../bus/topic.ts';

/** Other tables of a workgroup hold forecasts now; it counts in all processes. */
export const forecastTablesChanged = topic<{ workgroup: string }>('forecast-tables:changed');
