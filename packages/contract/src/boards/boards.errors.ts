import type { ErrorCatalog, IssueCatalog } from '../http/catalogs.ts';

export const boardsErrors = {
  'board.not_found': { status: 404, text: 'This dashboard does not exist, or you may not see it.' },
  'board.id_taken': { status: 409, text: 'A dashboard with this id already exists.' },
  'board.too_many': { status: 409, text: 'A workgroup can have up to {count} dashboards. Delete one first.' },
  'board.changed': {
    status: 409,
    text: 'Somebody else saved this dashboard meanwhile: you changed version {yours}, the newest is {newest}.',
  },
  'library_widget.not_found': { status: 404, text: 'This widget is not in the library any more.' },
  'library_widget.too_many': {
    status: 409,
    text: 'The library of a workgroup can have up to {count} widgets. Delete one first.',
  },
  'library_widget.changed': {
    status: 409,
    text: 'Somebody else changed {name} in the library meanwhile. Open the dashboard again to see it.',
  },
  'library_widget.used': {
    status: 409,
    text: 'Dashboards show this widget: {count}. Unlink it there first.',
  },
} as const satisfies ErrorCatalog;

export const boardsIssues = {
  'issue.board_entity': 'This entity does not exist, or you may not see it.',
  'issue.board_newer': 'This dashboard was made by a newer release (format {given}; this one reads {known}).',
  'issue.board_deep': 'Groups can be nested up to {max} levels.',
  'issue.board_many': 'A dashboard can have up to {max} widgets.',
  'issue.board_edge': 'A widget ends at the right edge of the grid at the latest.',
  'issue.board_large': 'A dashboard can take up to {max} kB.',
  'issue.board_no_group': 'Only groups hold other widgets; {kind} is none.',
  'issue.widget_unknown': 'There is no widget named {kind}.',
  'issue.widget_newer':
    'The widget {kind} was made by a newer release (format {given}; this one reads {known}).',
  'issue.descendants': 'Unknown descendant strategy: {x}',
  'issue.stream_of': 'A stream is a role, or a table and a field.',
  'issue.column_of': 'A column shows a stream or a KPI, one of the two.',
  'issue.link': 'A link begins with / or https://.',
  'issue.picture': 'A picture is a PNG, JPEG, WebP or SVG of up to {max} kB.',
  'issue.library_group': 'A group cannot stand in the library, only what is in it.',
  'issue.diagram_end': 'The diagram has no part with the id {id}.',
  'issue.diagram_loop': 'A line goes from one part to another one.',
  'issue.variable_name': 'A name begins with a letter and has only letters, digits and underscores.',
  'issue.variable_twice': 'Another variable is already called {name}.',
} as const satisfies IssueCatalog;
