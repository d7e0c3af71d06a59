import type { ErrorCatalog, IssueCatalog } from '../http/catalogs.ts';

export const calculationsErrors = {
  'calculation.not_found': { status: 404, text: 'This calculation no longer exists.' },
  'calculation.name_taken': {
    status: 409,
    text: 'Another calculation in this workgroup is already called {name}.',
  },
  'calculation.too_many': {
    status: 409,
    text: 'A workgroup can have up to {count} calculations. Delete one first.',
  },
  'calculation.off': { status: 409, text: '{name} is switched off. Switch it on first.' },
} as const satisfies ErrorCatalog;

export const calculationsIssues = {
  'issue.calculation_no_formula': 'A calculation needs at least one formula: formulas are what it writes.',
  'issue.calculation_interval': 'Choose one of these intervals: {intervals}.',
  'issue.calculation_table': 'The table {table} belongs to the cloud itself. Choose another name.',
  'issue.calculation_field': 'Every record has a column {name} already. Choose another name.',
  'issue.backfill_long': 'At most {years} years can be computed at once.',
  'issue.calculation_cycle': 'Calculations would need each other: {path}.',
} as const satisfies IssueCatalog;
