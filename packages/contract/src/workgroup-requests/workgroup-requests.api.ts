import { z } from 'zod';
import { anyone, staff } from '../access/access.ts';
import type { Api } from '../http/endpoint.ts';
import { acceptedRequest, onRequest, storedRequest, workgroupRequest } from './workgroup-requests.schema.ts';

export const workgroupRequestsApi = {
  submit: {
    method: 'PUT',
    url: '/newuser',
    access: anyone,
    summary: "Asks the provider for a workgroup of one's own.",
    example: {
      body: {
        name: 'Ann',
        title: 'Engineer',
        company: 'Solar North',
        email: 'new.ann@example.org',
        website: 'solar-north.example',
        country: 'Germany',
        countryCode: 'DE',
        phone: '+49 30 123456',
        description: 'Twelve roofs.',
      },
    },
    schema: { body: workgroupRequest, response: { 200: z.object({}) } },
    ratePerMinute: 5,
  },
  list: {
    method: 'GET',
    url: '/opsteam/requests',
    access: staff,
    summary: 'The requests for workgroups, newest first.',
    schema: { response: { 200: z.array(storedRequest) } },
  },
  accept: {
    method: 'POST',
    url: '/opsteam/requests/:request/accept',
    access: staff,
    summary: 'Makes the workgroup and mails its owner-to-be a link to activate the account.',
    example: { body: { name: 'solar-north', displayName: 'Solar North' } },
    schema: { params: onRequest, body: acceptedRequest, response: { 200: storedRequest } },
  },
  reject: {
    method: 'POST',
    url: '/opsteam/requests/:request/reject',
    access: staff,
    summary: 'Marks the request as rejected; nobody is mailed.',
    schema: { params: onRequest, response: { 200: storedRequest } },
  },
} as const satisfies Api;
