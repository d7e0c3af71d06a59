import { z } from 'zod';
import { can, member } from '../access/access.ts';
import type { Api } from '../http/endpoint.ts';
import { inWorkgroup } from '../workgroups/workgroups.schema.ts';
import { boardAnswer, boardQuestions } from './answers.schema.ts';
import { boardHead, changedBoard, newBoard, onBoard, storedBoard } from './boards.schema.ts';

const EXAMPLE = {
  type: 'label',
  typeId: 'site',
  name: 'Site',
  board: {
    items: [
      {
        id: 'power',
        kind: 'number',
        title: 'Power',
        place: { x: 0, y: 0, w: 6, h: 4 },
        settings: { stream: { over: 'descendants', role: 'acPower', combine: 'sum' } },
      },
    ],
  },
};

export const boardsApi = {
  list: {
    method: 'GET',
    url: '/entityDashboards/:wg',
    access: member,
    summary:
      'The dashboards of entities and labels that the caller may view, by name, without their widgets.',
    schema: { params: inWorkgroup, response: { 200: z.array(boardHead) } },
  },
  get: {
    method: 'GET',
    url: '/entityDashboards/:wg/:board',
    access: { ...member, rule: { resource: 'Dashboard', action: 'view', on: 'params.board' } },
    summary: 'One dashboard with its widgets.',
    schema: { params: onBoard, response: { 200: storedBoard } },
  },
  create: {
    method: 'POST',
    url: '/entityDashboards/:wg',
    access: {
      ...can('coordinate'),
      unbound: true,
      rule: { resource: 'Dashboard', action: 'create', on: 'all' },
    },
    summary: 'Makes a dashboard of an entity, or of a label for every entity that has it.',
    example: { body: EXAMPLE },
    schema: { params: inWorkgroup, body: newBoard, response: { 200: storedBoard } },
  },
  update: {
    method: 'PUT',
    url: '/entityDashboards/:wg/:board',
    access: {
      ...can('coordinate'),
      unbound: true,
      rule: { resource: 'Dashboard', action: 'edit', on: 'params.board' },
    },
    summary:
      'Saves a dashboard as its next version; 409 where a newer one than the given was saved meanwhile.',
    example: { body: EXAMPLE },
    schema: { params: onBoard, body: changedBoard, response: { 200: storedBoard } },
  },
  remove: {
    method: 'DELETE',
    url: '/entityDashboards/:wg/:board',
    access: {
      ...can('coordinate'),
      unbound: true,
      rule: { resource: 'Dashboard', action: 'delete', on: 'params.board' },
    },
    summary: 'Deletes a dashboard.',
    schema: { params: onBoard, response: { 200: z.object({}) } },
  },
  answers: {
    method: 'POST',
    url: '/entityDashboards/:wg/answers',
    access: member,
    summary:
      'Answers the questions of all widgets of a dashboard at once, each by itself: one that fails or takes long harms no other.',
    example: {
      body: {
        questions: [
          {
            id: 'power',
            kind: 'series',
            from: 0,
            to: 1000,
            series: [
              {
                streams: [
                  {
                    device: '5f0c8a8e-4b7f-4f7e-9f0b-0e9d6a6d1c11',
                    table: 'data',
                    source: 'inverter',
                    field: 'power',
                  },
                ],
              },
            ],
          },
        ],
      },
    },
    schema: { params: inWorkgroup, body: boardQuestions, response: { 200: z.array(boardAnswer) } },
  },
} as const satisfies Api;
