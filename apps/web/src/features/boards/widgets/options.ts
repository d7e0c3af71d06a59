import { VALUE_FUNCTIONS } from '@albedo/contract/boards/widgets/value-functions';
import { AGGREGATION_INTERVALS } from '@albedo/contract/telemetry/intervals';
import { SERIES_FUNCTIONS } from '@albedo/contract/telemetry/series-functions';

export const FUNCTIONS = VALUE_FUNCTIONS;
export const OVER_TIME = SERIES_FUNCTIONS;
export const INTERVALS = ['auto', ...AGGREGATION_INTERVALS] as const;
export const ROWS = ['self', 'children', 'descendants', 'label'] as const;
export const COMPARED = ['day', 'week', 'month', 'year'] as const;
export const HEAT_BY = ['calendar', 'entities', 'peers'] as const;
