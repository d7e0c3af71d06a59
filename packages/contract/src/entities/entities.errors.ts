import type { ErrorCatalog, IssueCatalog } from '../http/catalogs.ts';

export const entitiesErrors = {
  'entity.not_found': { status: 404, text: 'This entity no longer exists, or you may not see it.' },
  'entity.id_taken': { status: 409, text: 'An entity with the ID {id} already exists.' },
  'entity.setting_unknown': { status: 404, text: 'This entity has no setting named {key}.' },
  'entity.setting_taken': { status: 409, text: 'This entity already has a setting named {key}.' },
  'entity.too_many': { status: 409, text: 'A workgroup can have up to {count} entities. Delete some first.' },
  'entity.deletion_not_found': { status: 404, text: 'This deletion can no longer be undone.' },
  'entity.strategy_unknown': { status: 400, text: 'Unknown descendant strategy: {strategy}' },
} as const satisfies ErrorCatalog;

export const entitiesIssues = {
  'issue.entity_id':
    'An ID has only letters, digits, dots, colons, dashes and underscores, and is not "all".',
  'issue.entity_json': 'This is too large: at most {max} bytes.',
  'issue.meta_object': 'Metadata must be an object.',
  'issue.ref_form': '$ref must be the ID of a device, a full stop and the name of a source.',
  'issue.ref_dangling': 'The device of this $ref does not exist.',
  'issue.entity_unknown': 'There is no entity with the ID {id}.',
  'issue.entity_self': 'An entity cannot be its own parent.',
  'issue.entity_cycle': 'This would put {name} below itself.',
  'issue.entity_deep': 'The tree can have up to {max} levels.',
  'issue.device_unknown': 'There is no device with the ID {id}.',
  'issue.machine_unknown': 'There is no machine with the ID {id}.',
} as const satisfies IssueCatalog;
