import { VALUE_FUNCTIONS } from '@albedo/contract/boards/widgets/parts';
import { SERIES_FUNCTIONS } from '@albedo/contract/telemetry/telemetry.schema';

export const FUNCTIONS = VALUE_FUNCTIONS;
export const OVER_TIME = SERIES_FUNCTIONS;
export const INTERVALS = [
  'auto',
  '1m',
  '5m',
  '15m',
  '30m',
  '1h',
  '6h',
  '12h',
  '1d',
  '1w',
  '1M',
  '1y',
] as const;
export const ROWS = ['self', 'children', 'descendants', 'label'] as const;
export const COMPARED = ['day', 'week', 'month', 'year'] as const;
