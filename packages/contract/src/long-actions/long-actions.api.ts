import { z } from 'zod';
import { anyone, member, staff } from '../access/access.ts';
import type { Api } from '../http/endpoint.ts';
import { inWorkgroup } from '../workgroups/workgroups.schema.ts';
import { fileOffer, longAction, onFileOffer, onLongAction, onLongActionIn } from './long-actions.schema.ts';

const done = { 200: z.object({}) };

/** What takes longer than a request: each caller's own in a workgroup, and those of the staff. */
export const longActionsApi = {
  list: {
    method: 'GET',
    url: '/long-actions/:wg',
    access: member,
    summary: "The caller's own long actions in the workgroup, newest first.",
    schema: { params: inWorkgroup, response: { 200: z.array(longAction) } },
  },
  get: {
    method: 'GET',
    url: '/long-actions/:wg/:action',
    access: member,
    summary: 'How far a long action is and what came out of it.',
    schema: { params: onLongActionIn, response: { 200: longAction } },
  },
  cancel: {
    method: 'POST',
    url: '/long-actions/:wg/:action/cancel',
    access: member,
    summary: 'Ends a long action at its next chance; one that is over stays as it is.',
    schema: { params: onLongActionIn, response: { 200: longAction } },
  },
  retry: {
    method: 'POST',
    url: '/long-actions/:wg/:action/retry',
    access: member,
    summary: 'Begins a long action again that failed or was cancelled.',
    schema: { params: onLongActionIn, response: { 200: longAction } },
  },
  dismiss: {
    method: 'DELETE',
    url: '/long-actions/:wg/:action',
    access: member,
    summary: 'Forgets a long action that is over, and its result.',
    schema: { params: onLongActionIn, response: done },
  },
  offerFile: {
    method: 'POST',
    url: '/long-actions/:wg/:action/file',
    access: member,
    summary: 'A link to the resulting file, which a browser fetches once and soon.',
    schema: { params: onLongActionIn, response: { 200: fileOffer } },
  },
  staffList: {
    method: 'GET',
    url: '/opsteam/long-actions',
    access: staff,
    summary: 'The long actions of the staff, newest first.',
    schema: { response: { 200: z.array(longAction) } },
  },
  staffGet: {
    method: 'GET',
    url: '/opsteam/long-actions/:action',
    access: staff,
    summary: 'How far a long action of the staff is and what came out of it.',
    schema: { params: onLongAction, response: { 200: longAction } },
  },
  staffCancel: {
    method: 'POST',
    url: '/opsteam/long-actions/:action/cancel',
    access: staff,
    summary: 'Ends a long action of the staff at its next chance; one that is over stays as it is.',
    schema: { params: onLongAction, response: { 200: longAction } },
  },
  staffRetry: {
    method: 'POST',
    url: '/opsteam/long-actions/:action/retry',
    access: staff,
    summary: 'Begins a long action of the staff again that failed or was cancelled.',
    schema: { params: onLongAction, response: { 200: longAction } },
  },
  staffDismiss: {
    method: 'DELETE',
    url: '/opsteam/long-actions/:action',
    access: staff,
    summary: 'Forgets a long action of the staff that is over, and its result.',
    schema: { params: onLongAction, response: done },
  },
  staffOfferFile: {
    method: 'POST',
    url: '/opsteam/long-actions/:action/file',
    access: staff,
    summary: 'A link to the resulting file, which a browser fetches once and soon.',
    schema: { params: onLongAction, response: { 200: fileOffer } },
  },
  fetchFile: {
    method: 'GET',
    url: '/long-action-files/:token',
    access: anyone,
    summary: 'The file that a link offers.',
    schema: { params: onFileOffer },
    produces: 'application/octet-stream',
    ratePerMinute: 20,
  },
} as const satisfies Api;
