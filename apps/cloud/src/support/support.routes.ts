import { randomUUID } from 'node:crypto';
import { supportApi } from '@albedo/contract/support/support.api';
import type { FastifyInstance } from 'fastify';
import { signedIn } from '../access/signed-in.ts';
import type { FileStore } from '../files/files.store.ts';
import { bind } from '../http/bind.ts';
import { receiveForm } from '../http/receive-form.ts';
import type { Support } from './support.service.ts';

export function supportRoutes(app: FastifyInstance, support: Support, store: FileStore): void {
  bind(app, supportApi, {
    create: (call) => {
      const id = randomUUID();
      const by = { session: signedIn(call), address: call.request.ip };
      return receiveForm(call, { store, prefix: `support/${id}` }, ({ fields, files }) =>
        support.create(id, fields, files, by),
      );
    },
    list: () => support.list(),
    update: (call) => {
      const { _id: userId, email } = signedIn(call);
      return support.update(call.params.ticket, call.body, { userId, email, address: call.request.ip });
    },
    downloadFile: async ({ params, reply }) => {
      const { name, bytes } = await support.file(params.ticket, params.file);
      // Never shown by the browser, whatever it is.
      reply.header('content-disposition', attachment(name));
      reply.header('content-security-policy', "default-src 'none'; frame-ancestors 'none'; sandbox");
      return bytes;
    },
  });
}

/** RFC 6266: plain letters for old programs, the real name beside them. */
function attachment(name: string): string {
  const plain = name.replace(/[^\w. -]/g, '_');
  const encoded = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16)}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
