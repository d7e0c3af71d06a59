import { posix } from 'node:path';
import { deviceFilesApi } from '@albedo/contract/device-files/device-files.api';
import { actorOf } from '../access/actor.ts';
import { signedIn } from '../access/signed-in.ts';
import type { Approvals } from '../approvals/approvals.service.ts';
import type { Audit } from '../audit/audit.service.ts';
import type { DeviceAsks } from '../device-asks/device-asks.service.ts';
import { invalid } from '../errors/request-issues.ts';
import type { FileStore } from '../files/files.store.ts';
import type { Feature } from '../house/feature.ts';
import { bind } from '../http/bind.ts';
import { receiveForm } from '../http/receive-form.ts';
import type { Shells } from '../shells/shells.service.ts';
import { DeviceFiles } from './device-files.service.ts';

/** Files of devices. Looking around by hand is remote access; single files are for programs too. */
export function openDeviceFiles(of: {
  deviceAsks: DeviceAsks;
  shells: Pick<Shells, 'demandOpen'>;
  approvals: Pick<Approvals, 'takeFiles'>;
  audit: Audit;
  files: FileStore;
}): Feature<DeviceFiles> {
  const files = new DeviceFiles(of);
  const to = { store: of.files, prefix: 'device-files' };
  const on = (
    call: Parameters<typeof actorOf>[0] & {
      workgroup: string;
      params: { device: string };
      signal: AbortSignal;
    },
  ) => ({
    workgroup: call.workgroup,
    device: call.params.device,
    by: actorOf(call),
    signal: call.signal,
  });
  return {
    name: 'device-files',
    service: files,
    routes: (app) =>
      bind(app, deviceFilesApi, {
        list: async (call) => {
          const { workgroup, params, request } = call;
          await of.shells.demandOpen(workgroup);
          const by = { workgroup, deviceId: params.device, session: signedIn(call), address: request.ip };
          await of.approvals.takeFiles(by);
          return files.list(on(call), call.query.path);
        },
        get: async (call) => {
          const { path, from } = call.query;
          const bytes = await files.get(on(call), path, from);
          const name = posix.basename(path).replace(/[^\w.-]/g, '_') || 'file';
          call.reply.header('content-disposition', `attachment; filename="${name}"`);
          return bytes;
        },
        send: (call) =>
          receiveForm(call, to, async ({ fields, files: [file] }) => {
            if (!file) throw invalid('issue.no_file');
            const path = posix.join(fields.folder, file.name);
            return files.send(on(call), { key: file.key, path, from: 0, ...(await files.factsOf(file.key)) });
          }),
        part: (call) => files.part(on(call), call.query.path, call.query.hash),
        sendPart: (call) =>
          receiveForm(call, { ...to, arePieces: true }, async ({ fields, files: [file] }) =>
            file
              ? files.send(on(call), { key: file.key, ...fields })
              : { isComplete: false, bytes: fields.from },
          ),
      }),
  };
}
