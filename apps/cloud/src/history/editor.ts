import type { FastifyInstance } from 'fastify';
import { callerOf } from '../access/caller.ts';
import { managerOf } from '../access/manager.ts';
import type { Call } from '../http/bind.ts';
import type { Editor } from './kind.ts';

/** Who changes things with a call. */
export const editorOf = (
  app: FastifyInstance,
  call: Pick<Call, 'workgroup' | 'scope' | 'session' | 'request'>,
): Editor => ({
  ...callerOf(call),
  by: managerOf(call),
  demandDevice: (device) => app.guard.device(call.workgroup, device, call.scope),
});
