import { z } from 'zod';
import { canInPerson, member } from '../access/access.ts';
import type { Screens } from '../access/screens.ts';
import { onDevice } from '../devices/devices.schema.ts';
import type { Api } from '../http/endpoint.ts';
import { inWorkgroup } from '../workgroups/workgroups.schema.ts';
import {
  camera,
  onPhoto,
  photoPage,
  photoQuery,
  slideshow,
  slideshowQuery,
  workgroupPhotoQuery,
} from './photos.schema.ts';

export const photosApi = {
  all: {
    method: 'GET',
    url: '/photos/:wg',
    access: member,
    summary: 'Photos of all devices of the workgroup, newest first, a page at a time.',
    schema: { params: inWorkgroup, querystring: workgroupPhotoQuery, response: { 200: photoPage } },
  },
  cameras: {
    method: 'GET',
    url: '/photos/:wg/cameras',
    access: member,
    summary: 'The sources that have photos, with their number and the time of the first and the last one.',
    schema: { params: inWorkgroup, response: { 200: z.array(camera) } },
  },
  uploads: {
    method: 'GET',
    url: '/devices/:wg/:device/uploads',
    access: member,
    summary: 'Photos of a device from `startTime` up to `endTime`, newest first, a page at a time.',
    schema: { params: onDevice, querystring: photoQuery, response: { 200: photoPage } },
  },
  slideshow: {
    method: 'POST',
    url: '/devices/:wg/:device/slideshow',
    access: member,
    summary:
      'The photos of one camera over a range in their order; of very many, some spread evenly over it.',
    example: { body: { identifier: 'roof', startTime: 0, endTime: 1000 } },
    schema: { params: onDevice, body: slideshowQuery, response: { 200: slideshow } },
  },
  image: {
    method: 'GET',
    url: '/devices/:wg/:device/uploads/:photo',
    access: member,
    summary: 'A photo as the device sent it.',
    schema: { params: onPhoto },
    produces: 'image/*',
  },
  remove: {
    method: 'DELETE',
    url: '/devices/:wg/:device/uploads/:photo',
    access: canInPerson('manageDevices'),
    summary: 'Deletes a photo.',
    schema: { params: onPhoto, response: { 200: z.object({}) } },
  },
} as const satisfies Api;

export const photosScreens = {
  '/photos': {
    ...member,
    needs: ['GET /photos/:wg', 'GET /photos/:wg/cameras', 'GET /devices/:wg/device/commands'],
  },
} as const satisfies Screens;
