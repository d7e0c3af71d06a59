import { lookupTablesApi } from '@albedo/contract/lookup-tables/lookup-tables.api';
import type { FastifyInstance } from 'fastify';
import { managerOf } from '../access/manager.ts';
import { bind } from '../http/bind.ts';
import type { LookupTables } from './lookup-tables.service.ts';

export function lookupTablesRoutes(app: FastifyInstance, tables: LookupTables): void {
  bind(app, lookupTablesApi, {
    list: ({ workgroup }) => tables.list(workgroup),
    create: (call) => tables.create(call.workgroup, call.body, managerOf(call)),
    update: (call) => tables.update(call.workgroup, call.params.lookupTable, call.body, managerOf(call)),
    remove: async (call) => {
      await tables.remove(call.workgroup, call.params.lookupTable, managerOf(call));
      return {};
    },
  });
}
