import type { ErrorCatalog, IssueCatalog } from '../http/catalogs.ts';

export const accessControlErrors = {
  'access_rule.not_found': { status: 404, text: 'This rule no longer exists.' },
  'access_rule.too_many': {
    status: 409,
    text: 'A workgroup can have up to {count} access-control rules. Delete one first.',
  },
  'access_rule.exists': { status: 409, text: 'This workgroup already has this rule.' },
  'access_rule.principal_unknown': {
    status: 400,
    text: 'The rule names the ID {id}, which does not exist in this workgroup.',
  },
} as const satisfies ErrorCatalog;

export const accessControlIssues = {
  'issue.no_action': 'Choose at least one action.',
  'issue.action_unknown': 'This type of resource has no such action.',
  'issue.resource_id':
    'An ID has only letters, digits, dots, colons, dashes and underscores, no spaces. Use all for every resource.',
  'issue.action_of': '{type} has no action {action}. It has: {actions}.',
  'issue.create_all': 'create does not apply to a single dashboard. Give it for every resource.',
  'issue.principal_unnamed': '{type} does not name anyone in particular. Its ID is a single dash.',
  'issue.principal_missing': '{type} needs the ID of one.',
} as const satisfies IssueCatalog;
