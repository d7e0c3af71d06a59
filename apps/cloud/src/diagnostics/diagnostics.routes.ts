import { diagnosticsApi } from '@albedo/contract/diagnostics/diagnostics.api';
import type { FastifyInstance } from 'fastify';
import { actorOf } from '../access/actor.ts';
import { callerOf } from '../access/caller.ts';
import { signedIn } from '../access/signed-in.ts';
import { bind, type Call } from '../http/bind.ts';
import type { Diagnostics } from './diagnostics.service.ts';
import type { Viewer } from './error-tally.ts';
import type { Findings } from './findings.service.ts';

export function diagnosticsRoutes(
  app: FastifyInstance,
  of: { diagnostics: Diagnostics; findings: Findings },
): void {
  const { diagnostics, findings } = of;
  bind(app, diagnosticsApi, {
    frontendAnalytics: (call) => {
      diagnostics.view(viewerOf(call), call.body);
      return {};
    },
    frontendError: (call) => {
      diagnostics.error(viewerOf(call), call.body, call.request.headers['user-agent'] ?? '');
      return {};
    },
    findings: (call) => findings.of(app.guard, callerOf(call)),
    errors: ({ query }) => diagnostics.list(query),
    error: ({ params }) => diagnostics.get(params.browserError),
    setResolved: (call) =>
      diagnostics.setResolved(call.params.browserError, call.body.isResolved, actorOf(call)),
    pages: ({ query }) => diagnostics.pages(Number(query.days), query.ofWorkgroup),
  });
}

const viewerOf = (call: Pick<Call, 'workgroup' | 'session'>): Viewer => ({
  workgroup: call.workgroup,
  userId: signedIn(call)._id,
});
