import { z } from 'zod';
import { member } from '../access/access.ts';
import type { Api } from '../http/endpoint.ts';
import { inWorkgroup } from '../workgroups/workgroups.schema.ts';

/** The address that Grafana's data source is given is below this path, followed by the workgroup. */
export const PROMETHEUS_PATH = '/prometheus';

const text = z.string().max(10_000);
const several = z.union([text, z.array(text).max(100)]);

/**
 * What the endpoints take, in the query or as a form; an instant is seconds since 1970 or RFC 3339. Data sources send more,
 * such as `timeout` and what people enter in their settings, which Prometheus ignores too.
 */
const instantParams = z.looseObject({
  query: text.optional(),
  time: text.optional(),
  lookback_delta: text.optional(),
});
const rangeParams = z.looseObject({
  query: text.optional(),
  start: text.optional(),
  end: text.optional(),
  /** Seconds, or a duration such as `5m`. */
  step: text.optional(),
  lookback_delta: text.optional(),
});
const seriesParams = z.looseObject({
  'match[]': several.optional(),
  start: text.optional(),
  end: text.optional(),
  limit: text.optional(),
});
const metadataParams = z.looseObject({ metric: text.optional(), limit: text.optional() });

/** As Prometheus answers; a fault of the query is `status: error` with status 400 or 422. */
export const prometheusAnswer = z.looseObject({ status: z.enum(['success', 'error']), data: z.unknown() });
const response = { 200: prometheusAnswer };

const at = (path: string) => `${PROMETHEUS_PATH}/:wg/api/v1/${path}`;
const get = <Q extends z.ZodType>(path: string, summary: string, querystring: Q, query: z.input<Q>) =>
  ({
    method: 'GET',
    url: at(path),
    isQuery: true,
    access: member,
    summary,
    example: { query },
    schema: { params: inWorkgroup, querystring, response },
  }) as const;
const post = <B extends z.ZodType>(path: string, summary: string, body: B, example: z.input<B>) =>
  ({
    method: 'POST',
    url: at(path),
    isQuery: true,
    access: member,
    summary,
    example: { body: example },
    schema: { params: inWorkgroup, body, response },
  }) as const;

const ofRange = { query: 'avg_over_time(AC_Power[1h])', start: '0', end: '3600', step: '60' };
const ofInstant = { query: 'AC_Power', time: '0' };

/** The part of Prometheus' HTTP API that data sources such as Grafana's use; it only reads. */
export const prometheusApi = {
  query: get('query', 'The value of a PromQL query at one instant.', instantParams, ofInstant),
  postQuery: post('query', 'The same, asked with a form.', instantParams, ofInstant),
  range: get('query_range', 'The values of a PromQL query over a time range.', rangeParams, ofRange),
  postRange: post('query_range', 'The same range, asked with a form.', rangeParams, ofRange),
  labels: get('labels', 'Names of the labels that series have.', seriesParams, {}),
  postLabels: post('labels', 'The same names, asked with a form.', seriesParams, {}),
  labelValues: {
    method: 'GET',
    url: at('label/:label/values'),
    access: member,
    summary: 'The values of one label of the series that selectors name.',
    example: { query: {} },
    schema: {
      params: inWorkgroup.extend({ label: z.string().min(1).max(400) }),
      querystring: seriesParams,
      response,
    },
  },
  series: get('series', 'The series that selectors name.', seriesParams, { 'match[]': 'AC_Power' }),
  postSeries: post('series', 'The same series, asked with a form.', seriesParams, { 'match[]': 'AC_Power' }),
  metadata: get('metadata', 'Unit and origin of each metric.', metadataParams, {}),
  buildinfo: get('status/buildinfo', 'Which Prometheus this answers as.', z.looseObject({}), {}),
  rules: get('rules', 'Recording and alerting rules: there are none.', z.looseObject({}), {}),
  exemplars: get('query_exemplars', 'Exemplars: there are none.', z.looseObject({}), {}),
  postExemplars: post(
    'query_exemplars',
    'Exemplars, asked with a form: there are none.',
    z.looseObject({}),
    {},
  ),
} as const satisfies Api;
