import { standingOf } from '@albedo/contract/devices/devices.schema';
import { metadataApi } from '@albedo/contract/metadata/metadata.api';
import { actorOf } from '../access/actor.ts';
import type { Feature } from '../house/feature.ts';
import { bind } from '../http/bind.ts';
import { metadataInUse } from './metadata.in-use.ts';
import { Metadata, type MetadataOptions } from './metadata.service.ts';

/** What people say of devices and their sources. */
export function openMetadata(of: MetadataOptions): Feature<null> {
  const { registry, devices } = of;
  const metadata = new Metadata(of);
  return {
    name: 'metadata',
    service: null,
    routes: (app) =>
      bind(app, metadataApi, {
        inUse: ({ workgroup, scope }) => metadataInUse(registry.visible(workgroup, scope), scope),
        setSource: async (call) => {
          const { workgroup, scope, params, body } = call;
          const of = { workgroup, id: params.device, scope };
          const device = await devices.setSourceInfo(of, body, actorOf(call));
          return { ...device, ...standingOf(device.facts) };
        },
        rows: ({ workgroup, scope, query }) => metadata.rows(workgroup, query.level, scope),
        preview: ({ workgroup, body }) => metadata.preview(workgroup, body),
        import: (call) => metadata.import(call.workgroup, call.body, actorOf(call)),
        renameField: async (call) => ({
          changed: await metadata.rename(call.workgroup, call.body, actorOf(call)),
        }),
      }),
  };
}
