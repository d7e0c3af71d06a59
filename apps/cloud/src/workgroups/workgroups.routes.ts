import { workgroupsApi } from '@albedo/contract/workgroups/workgroups.api';
import type { FastifyInstance } from 'fastify';
import { bind, signedIn } from '../http/bind.ts';
import type { Workgroups } from './workgroups.service.ts';

export function workgroupsRoutes(app: FastifyInstance, workgroups: Workgroups): void {
  bind(app, workgroupsApi, { list: (call) => workgroups.ofUser(signedIn(call)._id) });
}
