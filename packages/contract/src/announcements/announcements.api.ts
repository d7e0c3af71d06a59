import { z } from 'zod';
import { anyone, signedIn, staff } from '../access/access.ts';
import type { Api } from '../http/endpoint.ts';
import {
  announcement,
  announcementDraft,
  onAnnouncement,
  storedAnnouncement,
} from './announcements.schema.ts';
import { THUMBNAIL } from './thumbnail.ts';

const done = { 200: z.object({}) };

export const announcementsApi = {
  mine: {
    method: 'GET',
    url: '/userAnnouncements',
    access: signedIn,
    summary:
      'The announcements for the user that have begun, newest first, with whether the user dismissed them.',
    schema: { response: { 200: z.array(announcement) } },
  },
  dismiss: {
    method: 'DELETE',
    url: '/userAnnouncements/:announcement',
    access: signedIn,
    summary: 'Dismisses an announcement for the user, on all devices.',
    schema: { params: onAnnouncement, response: done },
  },
  list: {
    method: 'GET',
    url: '/announcements',
    access: staff,
    summary: 'All announcements, planned and past ones too, the latest start first.',
    schema: { response: { 200: z.array(storedAnnouncement) } },
  },
  create: {
    method: 'POST',
    url: '/announcements',
    access: staff,
    summary:
      'Publishes an announcement to everybody, or to the members of some workgroups, from its start to its end.',
    example: {
      body: {
        title: 'News',
        bodyMarkdown: 'Something is new.',
        startDate: '2026-01-01T00:00:00Z',
        endDate: '2026-01-02T00:00:00Z',
      },
    },
    schema: { body: announcementDraft, response: { 200: storedAnnouncement } },
  },
  update: {
    method: 'PUT',
    url: '/announcements/:announcement',
    access: staff,
    summary: 'Changes an announcement; who dismissed it does not see it again.',
    example: {
      body: {
        title: 'News',
        bodyMarkdown: 'Something is new.',
        startDate: '2026-01-01T00:00:00Z',
        endDate: '2026-01-02T00:00:00Z',
      },
    },
    schema: { params: onAnnouncement, body: announcementDraft, response: { 200: storedAnnouncement } },
  },
  remove: {
    method: 'DELETE',
    url: '/announcements/:announcement',
    access: staff,
    summary: 'Deletes an announcement with its picture.',
    schema: { params: onAnnouncement, response: done },
  },
  setThumbnail: {
    method: 'PUT',
    url: '/announcements/:announcement/thumbnail',
    access: staff,
    summary: 'Gives an announcement its picture: PNG, JPEG, WebP or GIF of at most 1 MB.',
    schema: { params: onAnnouncement, response: { 200: storedAnnouncement } },
    consumes: 'multipart/form-data',
    files: { count: 1, fileBytes: THUMBNAIL.maxBytes, totalBytes: THUMBNAIL.maxBytes },
    ratePerMinute: 30,
  },
  removeThumbnail: {
    method: 'DELETE',
    url: '/announcements/:announcement/thumbnail',
    access: staff,
    summary: 'Takes the picture of an announcement away.',
    schema: { params: onAnnouncement, response: { 200: storedAnnouncement } },
  },
  thumbnail: {
    method: 'GET',
    url: '/announcements/:announcement/thumbnail',
    access: anyone,
    summary: 'The picture of an announcement; an image element carries no token, so anybody may load it.',
    schema: { params: onAnnouncement },
    produces: 'image/*',
  },
} as const satisfies Api;
