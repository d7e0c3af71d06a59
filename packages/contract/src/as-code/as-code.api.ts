import { can } from '../access/access.ts';
import type { Api } from '../http/endpoint.ts';
import { codeApplied, codeBody, codePlan, exportQuery, ofCode } from './as-code.schema.ts';

const access = { ...can('coordinate'), unbound: true } as const;
const body = { yaml: 'labels:\n  - id: site\n    name: Site\n' };

export const asCodeApi = {
  export: {
    method: 'GET',
    url: '/code/:wg',
    access,
    summary:
      'Labels, machines, entities, KPIs, calculations and dashboards as YAML, which call one another by stable names.',
    produces: 'application/yaml',
    schema: { params: ofCode, querystring: exportQuery },
  },
  plan: {
    method: 'POST',
    url: '/code/:wg/plan',
    access,
    summary: 'What applying a file would change, tried out whole; nothing is saved.',
    example: { body },
    bodyBytes: 6_000_000,
    schema: { params: ofCode, body: codeBody, response: { 200: codePlan } },
  },
  apply: {
    method: 'POST',
    url: '/code/:wg/apply',
    access,
    summary: 'Makes the workgroup what a file says, all of it or nothing; it can be undone as one.',
    example: { body },
    bodyBytes: 6_000_000,
    schema: { params: ofCode, body: codeBody, response: { 200: codeApplied } },
  },
} as const satisfies Api;
