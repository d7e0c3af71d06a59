import type { ErrorCatalog, IssueCatalog } from '../http/catalogs.ts';

export const alertsErrors = {
  'alert.not_found': { status: 404, text: 'This alert no longer exists.' },
  'alert.name_taken': { status: 409, text: 'Another alert in this workgroup is already called {name}.' },
  'alert.too_many': { status: 409, text: 'A workgroup can have up to {count} alerts. Delete one first.' },
  'suppression.not_found': { status: 404, text: 'This planned suppression no longer exists.' },
  'suppression.too_many': {
    status: 409,
    text: 'A workgroup can have up to {count} planned suppressions. Delete one first.',
  },
} as const satisfies ErrorCatalog;

export const alertsIssues = {
  'issue.alert_part_missing': 'An alert of the kind {kind} needs this.',
  'issue.alert_part_idle': 'An alert of the kind {kind} does not use this.',
  'issue.alert_never': 'This can never be true: {why}.',
  'issue.alert_severity': 'This workgroup has no severity with the ID {id}. It has: {choices}.',
  'issue.alert_category': 'This workgroup has no category named {name}.',
  'issue.alert_table': 'Devices cannot fill this table, or you may not see it.',
  'issue.alert_user': 'This person is no member of the workgroup.',
  'issue.alert_label': 'No source and no entity has the label {name}.',
  'issue.alert_test_kind': 'An alert of the kind {kind} cannot be tried on what is stored.',
  'issue.suppression_rule': 'This is no repetition of RFC 5545, such as FREQ=WEEKLY;BYDAY=SA.',
} as const satisfies IssueCatalog;
