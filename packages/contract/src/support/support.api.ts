import { z } from 'zod';
import { signedIn, staff } from '../access/access.ts';
import type { Api } from '../http/endpoint.ts';
import {
  onTicket,
  onTicketFile,
  SUPPORT_FILES,
  storedTicket,
  supportTicket,
  ticketChange,
} from './support.schema.ts';

export const supportApi = {
  create: {
    method: 'POST',
    url: '/support',
    access: signedIn,
    summary: 'Asks the provider for help; a copy goes to the address of the account.',
    example: {
      body: { name: 'Ann', email: 'ann@example.org', subject: 'A question', body: 'How do I add a device?' },
    },
    schema: { body: supportTicket, response: { 200: z.object({ taskId: z.string() }) } },
    consumes: 'multipart/form-data',
    files: SUPPORT_FILES,
    ratePerMinute: 10,
  },
  list: {
    method: 'GET',
    url: '/opsteam/tickets',
    access: staff,
    summary: 'The support tickets, newest first.',
    schema: { response: { 200: z.array(storedTicket) } },
  },
  update: {
    method: 'PUT',
    url: '/opsteam/tickets/:ticket',
    access: staff,
    summary: 'Closes or opens a ticket, takes care of it or gives it back.',
    example: { body: { status: 'closed' } },
    schema: { params: onTicket, body: ticketChange, response: { 200: storedTicket } },
  },
  downloadFile: {
    method: 'GET',
    url: '/opsteam/tickets/:ticket/files/:file',
    access: staff,
    summary: 'A file that came with a ticket, as a download.',
    schema: { params: onTicketFile },
    produces: 'application/octet-stream',
  },
} as const satisfies Api;
