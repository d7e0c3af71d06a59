import { z } from 'zod';
import { can, member } from '../access/access.ts';
import type { Api } from '../http/endpoint.ts';
import { inWorkgroup } from '../workgroups/workgroups.schema.ts';
import {
  changedLibraryWidget,
  libraryWidget,
  newLibraryWidget,
  onLibraryWidget,
} from './widget-library.schema.ts';

const writing = { ...can('coordinate'), unbound: true } as const;
const EXAMPLE = {
  name: 'Power of a site',
  item: {
    kind: 'number',
    title: 'Power',
    settings: { stream: { over: 'descendants', role: 'acPower', combine: 'sum' } },
  },
};

export const widgetLibraryApi = {
  list: {
    method: 'GET',
    url: '/widgetLibrary/:wg',
    access: member,
    summary: 'The widgets that dashboards can share, by name, each with how many dashboards show it.',
    schema: { params: inWorkgroup, response: { 200: z.array(libraryWidget) } },
  },
  create: {
    method: 'POST',
    url: '/widgetLibrary/:wg',
    access: writing,
    summary:
      'Keeps a widget in the library. A widget of a dashboard with its id as `library` shows what the library says.',
    example: { body: EXAMPLE },
    schema: { params: inWorkgroup, body: newLibraryWidget, response: { 200: libraryWidget } },
  },
  update: {
    method: 'PUT',
    url: '/widgetLibrary/:wg/:widget',
    access: writing,
    summary:
      'Changes a widget on all dashboards that show it; 409 where a newer version than the given was saved meanwhile.',
    example: { body: EXAMPLE },
    schema: { params: onLibraryWidget, body: changedLibraryWidget, response: { 200: libraryWidget } },
  },
  remove: {
    method: 'DELETE',
    url: '/widgetLibrary/:wg/:widget',
    access: writing,
    summary: 'Takes a widget out of the library; 409 while dashboards show it.',
    schema: { params: onLibraryWidget, response: { 200: z.object({}) } },
  },
} as const satisfies Api;
