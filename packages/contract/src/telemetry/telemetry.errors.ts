import type { ErrorCatalog, IssueCatalog } from '../http/catalogs.ts';

export const telemetryErrors = {
  'table.missing': { status: 400, text: 'Missing table' },
  'table.not_found': { status: 404, text: 'The table {table} does not exist in this workgroup.' },
  'table.field_unknown': { status: 400, text: 'The table {table} has no field named {field}.' },
  'search.aggregation_missing': { status: 400, text: 'query.aggs not provided' },
  'search.aggregation_type_missing': { status: 400, text: 'options.aggregate.type not provided' },
  'search.filter_invalid': { status: 400, text: 'A filter needs an operator and a field.' },
  'search.constraints_empty': { status: 400, text: 'Empty constraints object' },
  'search.timed_out': { status: 504, code: -1, text: 'Timed out' },
  'search.scroll_expired': { status: 404, text: 'This scroll has expired. Search again.' },
  'search.too_much': {
    status: 400,
    text: 'The search needs more memory or rows than one search can use. Narrow the time range or the filters.',
  },
} as const satisfies ErrorCatalog;

export const telemetryIssues = {
  'issue.table_name': 'A table name cannot contain a full stop.',
  'issue.latest_of': 'Give a device, or a table and a field.',
  'issue.zone_unknown': 'The time zone {zone} does not exist.',
  'issue.aggregation_field': 'The aggregation {name} needs a field.',
  'issue.no_intervals': 'The field {field} is not a date, so it has no intervals.',
  'issue.filters_deep': 'Filters can be nested up to {max} levels.',
  'issue.filter_single': 'The operator {operator} needs a single value.',
  'issue.filter_value': 'Give a text, a number, true or false.',
  'issue.filter_number': 'The field {field} holds numbers; {value} is not one.',
  'issue.filter_date':
    'The field {field} holds dates; {value} is not one. Write 2026-11-21T14:00:00Z or epoch milliseconds.',
  'issue.filter_bool': 'The field {field} is true or false; {value} is neither.',
  'issue.filter_text': 'The field {field} holds text; {value} is not text.',
  'issue.date_field': 'The field {field} is not a date.',
  'issue.instant': '{value} is not a date. Write 2026-11-21T14:00:00Z or epoch milliseconds.',
  'issue.timeframe': 'A timeframe has from and to, or is one of these: {choices}.',
  'issue.aggregation_name': 'An aggregation cannot be named {name}.',
  'issue.aggregation_twice': 'Two aggregations are named {name}.',
  'issue.csv_aggregations': 'With csvScroll the answer is records alone. Ask for aggregations without it.',
  'issue.csv_rows': 'Only with csvScroll. Without it, rows says how many records a page has.',
  'issue.csv_pages': 'With csvScroll the answer has all records at once, so there are no pages.',
  'issue.aggregation_numbers': 'The field {field} has no numbers to calculate with.',
  'issue.formula': 'Character {at}: {what}',
  'issue.formula_name': '{name} cannot be used as a name in a formula.',
  'issue.formula_twice': 'Two inputs are named {name}.',
  'issue.interval': 'The interval {interval} does not exist. Examples: 1m, 15m, 6h, 1d, 1w, 1M, 1y.',
} as const satisfies IssueCatalog;
