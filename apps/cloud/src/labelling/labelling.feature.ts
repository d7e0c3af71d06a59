import { labellingApi } from '@albedo/contract/labelling/labelling.api';
import { actorOf } from '../access/actor.ts';
import type { Feature } from '../house/feature.ts';
import { bind } from '../http/bind.ts';
import { Labelling, type LabellingOptions } from './labelling.service.ts';

/** Labels of sources. */
export function openLabelling(of: LabellingOptions): Feature<Labelling> {
  const labelling = new Labelling(of);
  return {
    name: 'labelling',
    service: labelling,
    routes: (app) =>
      bind(app, labellingApi, {
        list: ({ workgroup, scope }) => labelling.list(workgroup, scope),
        save: async (call) => {
          await labelling.save(call.workgroup, call.body.sources, actorOf(call));
          return labelling.list(call.workgroup, call.scope);
        },
      }),
  };
}
