import { externalSourcesApi } from '@albedo/contract/external-sources/external-sources.api';
import type { FastifyInstance } from 'fastify';
import { bearerToken } from '../access/guard.ts';
import { managerOf } from '../access/manager.ts';
import { bind } from '../http/bind.ts';
import type { ExternalSources } from './external-sources.service.ts';

export function externalSourcesRoutes(app: FastifyInstance, sources: ExternalSources): void {
  // In a scope of its own: no other endpoint takes CSV or XML as its body.
  app.register(async (scope) => {
    scope.addContentTypeParser(
      ['text/csv', 'text/plain', 'application/xml', 'text/xml'],
      { parseAs: 'string' },
      (_request, body, done) => done(null, body),
    );
    bind(scope, externalSourcesApi, {
      list: ({ workgroup, scope }) => sources.list(workgroup, scope),
      runs: ({ workgroup, params, scope }) => sources.runs(workgroup, params.externalSource, scope),
      create: (call) => sources.create(call.workgroup, call.body, managerOf(call)),
      preview: (call) =>
        sources.preview(call.workgroup, call.body, { of: call.body.of, text: call.body.text }),
      update: (call) =>
        sources.update(call.workgroup, call.params.externalSource, call.body, managerOf(call)),
      remove: async (call) => {
        await sources.remove(call.workgroup, call.params.externalSource, managerOf(call));
        return {};
      },
      run: (call) => sources.run(call.workgroup, call.params.externalSource, managerOf(call)),
      renewToken: (call) => sources.renewToken(call.workgroup, call.params.externalSource, managerOf(call)),
      push: ({ params, body, request }) =>
        sources.push(params.externalSource, bearerToken(request.headers.authorization) ?? '', body),
    });
  });
}
