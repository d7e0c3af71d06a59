import { entitiesApi } from '@albedo/contract/entities/entities.api';
import type { Entity, EntityChange, NewEntity } from '@albedo/contract/entities/entities.schema';
import { type EntityLabel, LABELS_SETTING, labelsOf } from '@albedo/contract/entities/labels';
import { queryOptions } from '@tanstack/react-query';
import { useMemo } from 'react';
import { call } from '../../app/call.ts';
import { entitiesQuery } from '../../app/entity-query.ts';
import { queryClient } from '../../app/query-client.ts';
import { useSignedIn } from '../../app/session.ts';
import { setWorkgroupSetting } from '../workgroups/workgroups.queries.ts';

export const entityDeletionsQuery = (wg: string) =>
  queryOptions({
    queryKey: ['entities', wg, 'deletions'],
    queryFn: ({ signal }) => call(entitiesApi.deletions, { params: { wg } }, signal),
  });

export const entityImpactQuery = (wg: string, entity: string) =>
  queryOptions({
    queryKey: ['entities', wg, 'impact', entity],
    queryFn: ({ signal }) => call(entitiesApi.impact, { params: { wg, entity } }, signal),
    gcTime: 0,
  });

const tellChanged = (wg: string) => queryClient.invalidateQueries({ queryKey: entitiesQuery(wg).queryKey });

export async function createEntity(wg: string, body: Partial<NewEntity> & { name: string }): Promise<Entity> {
  const made = await call(entitiesApi.create, { params: { wg }, body });
  await tellChanged(wg);
  return made;
}

export async function createEntities(
  wg: string,
  entities: (Partial<NewEntity> & { name: string })[],
): Promise<Entity[]> {
  const made = await call(entitiesApi.createAll, { params: { wg }, body: { entities } });
  await tellChanged(wg);
  return made;
}

export async function changeEntity(wg: string, entity: string, body: EntityChange): Promise<Entity> {
  const changed = await call(entitiesApi.update, { params: { wg, entity }, body });
  await tellChanged(wg);
  return changed;
}

/** All of them or none. */
export async function changeEntities(
  wg: string,
  changes: (EntityChange & { _id: string })[],
): Promise<Entity[]> {
  const changed = await call(entitiesApi.changeAll, { params: { wg }, body: { changes } });
  await tellChanged(wg);
  return changed;
}

export async function removeEntity(wg: string, entity: string): Promise<void> {
  await call(entitiesApi.remove, { params: { wg, entity } });
  await tellChanged(wg);
}

export async function restoreDeletion(wg: string, deletion: string): Promise<void> {
  await call(entitiesApi.restore, { params: { wg, deletion }, body: {} });
  await tellChanged(wg);
}

/** The labels that the workgroup has. */
export function useLabels(): EntityLabel[] {
  const { workgroup, workgroups } = useSignedIn();
  const settings = workgroups?.find(({ name }) => name === workgroup)?.settings;
  return useMemo(() => labelsOf(settings ?? {}), [settings]);
}

export async function saveLabels(wg: string, labels: readonly EntityLabel[]): Promise<void> {
  await setWorkgroupSetting(wg, LABELS_SETTING, labels.length === 0 ? null : labels);
}
