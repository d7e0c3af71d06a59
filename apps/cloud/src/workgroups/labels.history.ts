import { type EntityLabel, LABELS_SETTING, labelsOf } from '@albedo/contract/entities/labels';
import { WORKGROUP_SETTINGS } from '@albedo/contract/workgroups/workgroup-settings.schema';
import type { z } from 'zod';
import type { Manager } from '../access/manager.ts';
import { AppError } from '../errors/app-error.ts';
import type { Kind } from '../history/history.service.ts';
import type { WorkgroupSettings } from './workgroup-settings.service.ts';

type KeptLabel = Omit<EntityLabel, 'id'>;

/** A label that is more than its own id. */
const inFile = WORKGROUP_SETTINGS.labels.element.options[1];

/** The labels of entities have versions and can be written as code. */
export function labelsHistory(settings: WorkgroupSettings): Kind<KeptLabel> {
  const labels = async (workgroup: string) => labelsOf(await settings.get(workgroup));
  const save = (workgroup: string, all: readonly EntityLabel[], by: Manager) =>
    settings.set(workgroup, LABELS_SETTING, all.length === 0 ? null : all, by);
  return {
    name: 'label',
    demand: async ({ workgroup }, id) => {
      if (!(await labels(workgroup)).some((one) => one.id === id)) throw new AppError('history.not_found');
    },
    all: async ({ workgroup }) =>
      (await labels(workgroup)).map(({ id, name, color }) => ({ id, content: { name, color } })),
    put: async ({ workgroup, by }, things) => {
      const all = new Map((await labels(workgroup)).map((one) => [one.id, one]));
      for (const { id, content } of things) all.set(id, { id, ...content });
      await save(workgroup, [...all.values()], by);
    },
    remove: async ({ workgroup, by }, ids) => {
      const gone = new Set(ids);
      const left = (await labels(workgroup)).filter(({ id }) => !gone.has(id));
      await save(workgroup, left, by);
    },
    code: {
      section: 'labels',
      keyOf: ({ id }) => id,
      schema: inFile,
      write: ({ id, content }) => ({ id, ...content }),
      read: ({ id, name, color }: z.output<typeof inFile>) => ({ id, content: { name, color } }),
    },
  };
}
