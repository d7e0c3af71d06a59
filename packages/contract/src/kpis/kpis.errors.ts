import type { ErrorCatalog, IssueCatalog } from '../http/catalogs.ts';

export const kpisErrors = {
  'kpi.not_found': { status: 404, text: 'This KPI no longer exists.' },
  'kpi.name_taken': { status: 409, text: 'Another KPI in this workgroup is already called {name}.' },
  'kpi.too_many': { status: 409, text: 'A workgroup can have up to {count} KPIs. Delete one first.' },
  'kpi.too_much': {
    status: 400,
    text: 'Up to {max} intervals are computed at once. Choose longer intervals or a shorter range.',
  },
} as const satisfies ErrorCatalog;

export const kpisIssues = {
  'issue.kpi_value_name':
    'A value has a name of letters, digits and underscores that begins with a letter, such as energy.',
  'issue.kpi_one_primary': 'Only one value can be the primary one.',
  'issue.kpi_circle': 'The value {name} needs itself: {path}.',
  'issue.kpi_units': 'This is in {left}, which cannot be shown in {right}.',
  'issue.kpi_period': 'The name period is the length of the range or interval, in hours.',
  'issue.kpi_weight': 'Say by which readings the average is weighted.',
  'issue.kpi_condition': 'Say which states count, or from which value on.',
} as const satisfies IssueCatalog;
