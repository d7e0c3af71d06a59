import type { EntityLabel } from '@albedo/contract/entities/labels';
import { labellingApi } from '@albedo/contract/labelling/labelling.api';
import { LABELLING_LIMITS, type LabelledSource } from '@albedo/contract/labelling/labelling.schema';
import { call } from '../../app/call.ts';
import { entitiesQuery } from '../../app/entity-query.ts';
import { queryClient } from '../../app/query-client.ts';
import { labellingQuery } from '../../app/source-labels.ts';
import { useDeviceChanges } from '../../app/use-device-changes.ts';
import { changeEntity, saveLabels } from '../entities/entities.queries.ts';
import { changedSources, type Draft, type Labelled, labelsAfter } from './labelling-draft.ts';

/** Entities that a label is taken from at once. Source: specification 2, section 9. */
const AT_ONCE = 5;
/** Refetches the labels of sources after devices have changed, as long as the screen is open. */
export const useFollowLabelling = (wg: string): void => useDeviceChanges(['labelling', wg]);

/**
 * Takes labels that are gone from the entities, five at a time, then saves the sources and at last the labels themselves: what
 * fails on the way is saved by another try.
 */
export async function saveDraft(
  wg: string,
  draft: Draft,
  kept: { sources: Labelled; labels: readonly EntityLabel[] },
): Promise<void> {
  const gone = new Set([...draft.labels].flatMap(([id, label]) => (label === null ? [id] : [])));
  if (gone.size > 0) await takeFromEntities(wg, gone);
  const changes = changedSources(kept.sources, draft);
  for (let at = 0; at < changes.length; at += LABELLING_LIMITS.sources)
    await saveSources(wg, changes.slice(at, at + LABELLING_LIMITS.sources));
  if (draft.labels.size > 0) await saveLabels(wg, labelsAfter(kept.labels, draft));
}

async function saveSources(wg: string, sources: LabelledSource[]): Promise<void> {
  const saved = await call(labellingApi.save, { params: { wg }, body: { sources } });
  queryClient.setQueryData(labellingQuery(wg).queryKey, saved);
  // Sources carry their labels.
  void queryClient.invalidateQueries({ queryKey: ['entity-world', wg] });
}

async function takeFromEntities(wg: string, gone: ReadonlySet<string>): Promise<void> {
  const entities = await queryClient.fetchQuery({ ...entitiesQuery(wg), staleTime: 0 });
  const waiting = entities.filter(({ labels }) => labels.some((id) => gone.has(id)));
  const take = async (): Promise<void> => {
    for (let one = waiting.pop(); one; one = waiting.pop())
      await changeEntity(wg, one._id, {
        labels: one.labels.filter((id) => !gone.has(id)),
        version: one.version,
      });
  };
  await Promise.all(Array.from({ length: AT_ONCE }, take));
}
