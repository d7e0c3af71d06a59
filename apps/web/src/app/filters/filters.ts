import type { FieldFilter, SearchFilter } from '@albedo/contract/telemetry/search.schema';

/** A filter that says all it takes. */
export function isComplete(filter: SearchFilter): boolean {
  if ('filters' in filter) return filter.filters.length > 0 && filter.filters.every(isComplete);
  const { field, operator, value } = filter;
  if (field === '') return false;
  if (operator === 'EXISTS' || operator === 'NOT EXISTS') return true;
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== '';
}

export const isFieldFilter = (filter: SearchFilter): filter is FieldFilter => !('filters' in filter);
