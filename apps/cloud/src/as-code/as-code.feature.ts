import { Readable } from 'node:stream';
import { asCodeApi } from '@albedo/contract/as-code/as-code.api';
import { PRODUCT } from '@albedo/contract/product';
import type { Postgres } from '@albedo/postgres/postgres';
import { callerOf } from '../access/caller.ts';
import type { Audit } from '../audit/audit.service.ts';
import { editorOf, type History } from '../history/history.service.ts';
import type { Feature } from '../house/feature.ts';
import { bind } from '../http/bind.ts';
import type { DeviceRegistry } from '../registry/registry.ts';
import type { Workgroups } from '../workgroups/workgroups.service.ts';
import { codeCommands } from './as-code.command.ts';
import { AsCode } from './as-code.service.ts';

/** A workgroup's things as YAML: export, plan and apply. */
export function openAsCode(of: {
  postgres: Postgres;
  history: History;
  registry: DeviceRegistry;
  workgroups: Workgroups;
  audit: Audit;
}): Feature<AsCode> {
  const asCode = new AsCode(of);
  return {
    name: 'as-code',
    service: asCode,
    commands: codeCommands({ ...of, asCode, settled: (task) => of.audit.settled(task) }),
    routes: (app) =>
      bind(app, asCodeApi, {
        export: async (call) => {
          const yaml = await asCode.export(callerOf(call), call.query.kinds?.split(','));
          call.reply.header(
            'content-disposition',
            `attachment; filename="${PRODUCT}-${call.workgroup}.yaml"`,
          );
          return Readable.from([Buffer.from(yaml)]);
        },
        plan: (call) => asCode.plan(editorOf(app, call), call.body.yaml, call.body),
        apply: (call) => asCode.apply(editorOf(app, call), call.body.yaml, call.body),
      }),
  };
}
