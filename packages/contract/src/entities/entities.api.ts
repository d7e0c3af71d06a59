import { z } from 'zod';
import { type Access, can, member } from '../access/access.ts';
import type { Api } from '../http/endpoint.ts';
import { inWorkgroup } from '../workgroups/workgroups.schema.ts';
import {
  ENTITY_LIMITS,
  entity,
  entityChange,
  entityChanges,
  entityDeletion,
  entityImpact,
  entitySettingValue,
  newEntity,
  newEntitySetting,
  onEntity,
  onEntityDeletion,
  onEntitySetting,
} from './entities.schema.ts';
import { entityStream, knownSource, streamSelector } from './streams.schema.ts';

const coordinate = { ...can('coordinate'), unbound: true } as const;
const editing = {
  ...coordinate,
  rule: { resource: 'Entity', action: 'edit', on: 'params.entity' },
} as const satisfies Access;
const creating = {
  ...coordinate,
  rule: { resource: 'Entity', action: 'create', on: 'all' },
} as const satisfies Access;
const deleting = {
  ...coordinate,
  rule: { resource: 'Entity', action: 'delete', on: 'params.entity' },
} as const satisfies Access;

export const entitiesApi = {
  list: {
    method: 'GET',
    url: '/entities/:wg',
    access: member,
    summary: 'The entities that the caller may see, by name, each with the ids of its children.',
    schema: { params: inWorkgroup, response: { 200: z.array(entity) } },
  },
  create: {
    method: 'POST',
    url: '/entities/:wg',
    access: creating,
    summary: 'Makes an entity, with the id that the caller chooses or with one of the server.',
    example: { body: { name: 'Hilltop', meta: { kWp: 61.6 } } },
    schema: { params: inWorkgroup, body: newEntity, response: { 200: entity } },
  },
  createAll: {
    method: 'POST',
    url: '/entities/:wg/all',
    access: creating,
    summary: 'Makes several entities, which may be parents of one another, all of them or none.',
    example: { body: { entities: [{ _id: 'hilltop', name: 'Hilltop' }] } },
    schema: {
      params: inWorkgroup,
      body: z.object({ entities: z.array(newEntity).min(1).max(ENTITY_LIMITS.changes) }),
      response: { 200: z.array(entity) },
    },
  },
  changeAll: {
    method: 'PUT',
    url: '/entities/:wg',
    access: coordinate,
    summary: 'Changes or moves several entities, all of them or none.',
    example: { body: { changes: [{ _id: 'hilltop', parent: null }] } },
    schema: { params: inWorkgroup, body: entityChanges, response: { 200: z.array(entity) } },
  },
  update: {
    method: 'PUT',
    url: '/entities/:wg/:entity',
    access: editing,
    summary: 'Changes an entity; what is left out stays as it is. With `version`, only over that one.',
    example: { body: { name: 'Hilltop winery' } },
    schema: { params: onEntity, body: entityChange, response: { 200: entity } },
  },
  remove: {
    method: 'DELETE',
    url: '/entities/:wg/:entity',
    access: deleting,
    summary: 'Deletes an entity with everything below it; for 30 days it can be restored.',
    schema: { params: onEntity, response: { 200: entityDeletion } },
  },
  impact: {
    method: 'GET',
    url: '/entities/:wg/:entity/impact',
    access: deleting,
    summary: 'What would go with an entity if it were deleted, and what uses it.',
    schema: { params: onEntity, response: { 200: entityImpact } },
  },
  addSetting: {
    method: 'POST',
    url: '/entities/:wg/:entity/settings',
    access: editing,
    summary: 'Adds a setting to an entity.',
    example: { body: { key: 'report', value: true } },
    schema: { params: onEntity, body: newEntitySetting, response: { 200: entity } },
  },
  setSetting: {
    method: 'PUT',
    url: '/entities/:wg/:entity/settings/:key',
    access: editing,
    summary: 'Changes a setting of an entity; null takes it away.',
    example: { body: { value: false } },
    schema: { params: onEntitySetting, body: entitySettingValue, response: { 200: entity } },
  },
  streams: {
    method: 'POST',
    url: '/entities/:wg/:entity/streams',
    access: member,
    summary:
      'The streams that an entity has for a table and field or for a role, over itself or what is below it.',
    example: { body: { over: 'descendants', role: 'acPower' } },
    schema: { params: onEntity, body: streamSelector, response: { 200: z.array(entityStream) } },
  },
  sources: {
    method: 'GET',
    url: '/entitySources/:wg',
    access: member,
    summary: 'Every source that the caller sees with its fields and what they mean, for use in entities.',
    schema: { params: inWorkgroup, response: { 200: z.array(knownSource) } },
  },
  deletions: {
    method: 'GET',
    url: '/entityDeletions/:wg',
    access: coordinate,
    summary: 'What was deleted of the tree in the last 30 days, the newest first.',
    schema: { params: inWorkgroup, response: { 200: z.array(entityDeletion) } },
  },
  restore: {
    method: 'POST',
    url: '/entityDeletions/:wg/:deletion/restore',
    access: creating,
    summary: 'Brings back what was deleted, with its ids; at the top of the tree where its parent is gone.',
    example: { body: {} },
    schema: { params: onEntityDeletion, body: z.object({}), response: { 200: z.array(entity) } },
  },
} as const satisfies Api;
