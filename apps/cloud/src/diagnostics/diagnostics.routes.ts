import { diagnosticsApi } from '@albedo/contract/diagnostics/diagnostics.api';
import type { SessionClaims } from '@albedo/contract/sessions/sessions.schema';
import type { FastifyInstance } from 'fastify';
import { bind } from '../http/bind.ts';
import type { Diagnostics, Viewer } from './diagnostics.service.ts';

export function diagnosticsRoutes(app: FastifyInstance, diagnostics: Diagnostics): void {
  bind(app, diagnosticsApi, {
    frontendAnalytics: (call) => {
      diagnostics.view(viewerOf(call), call.body.location);
      return {};
    },
    frontendError: (call) => {
      diagnostics.error(viewerOf(call), call.body);
      return {};
    },
  });
}

const viewerOf = ({ workgroup, session }: { workgroup: string; session: SessionClaims | null }): Viewer => ({
  workgroup,
  userId: session?._id ?? '',
});
