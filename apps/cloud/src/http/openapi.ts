import { completeness, quarantined } from '@albedo/contract/completeness/completeness.schema';
import { csvStyle } from '@albedo/contract/csv/csv-style.schema';
import {
  certificateInfo,
  deviceFacts,
  installOffer,
  latestSource,
  toldDevice,
  toldSummary,
} from '@albedo/contract/devices/devices.schema';
import { deviceMeta } from '@albedo/contract/devices/meta.schema';
import { API_PREFIX, type Endpoint, fileField } from '@albedo/contract/http/endpoint';
import { errorBody } from '@albedo/contract/http/errors';
import { FRONTEND_VERSION } from '@albedo/contract/product';
import { sessionClaims } from '@albedo/contract/sessions/sessions.schema';
import {
  aggregation,
  searchFilter,
  searchForms,
  searchResult,
  searchTexts,
  searchTimeframe,
} from '@albedo/contract/telemetry/search.schema';
import { seriesPoints, tableInfo } from '@albedo/contract/telemetry/telemetry.schema';
import { workgroup } from '@albedo/contract/workgroups/workgroups.schema';
import fastifySwagger from '@fastify/swagger';
import fastifySwaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { type OpenApiDocument, withExamples } from './openapi.examples.ts';
import { described, SECURITY_SCHEMES } from './openapi.operation.ts';

/** Schemas that the document shows under a name of their own. */
const NAMED = {
  Certificate: certificateInfo,
  Completeness: completeness,
  Device: toldDevice,
  DeviceFacts: deviceFacts,
  DeviceMeta: deviceMeta,
  DeviceSummary: toldSummary,
  Error: errorBody,
  InstallOffer: installOffer,
  LatestSource: latestSource,
  Quarantined: quarantined,
  SearchResult: searchResult,
  SeriesPoints: seriesPoints,
  Session: sessionClaims,
  TableInfo: tableInfo,
  Workgroup: workgroup,
} as const;

/** What is read by hand, and so has no schema that says how it is written. */
const BY_HAND = {
  SearchFilter: { schema: searchFilter, text: searchTexts.filter, form: searchForms.filter },
  SearchAggregation: {
    schema: aggregation,
    text: searchTexts.aggregation,
    form: searchForms.aggregation,
  },
  SearchTimeframe: { schema: searchTimeframe, text: searchTexts.timeframe, form: searchForms.timeframe },
} as const;

/** The form of each under its name, and where it travels as text in an address, that the text is such JSON. */
function nameForms(registry: z.core.$ZodRegistry<Record<string, unknown>>): void {
  const { $schema: _schema, ...style } = z.toJSONSchema(csvStyle, { io: 'input', unrepresentable: 'any' });
  registry.add(searchTexts.style, { contentMediaType: 'application/json', contentSchema: style });
  for (const [id, { schema, text, form }] of Object.entries(BY_HAND)) {
    const $ref = `#/components/schemas/${id}Input`;
    const { $schema: _schema, ...own } = z.toJSONSchema(form, { io: 'input' });
    // Groups of filters hold filters.
    const written = JSON.parse(JSON.stringify(own).replaceAll('"$ref":"#"', `"$ref":"${$ref}"`));
    registry.add(schema, { id, ...written });
    // A name of a timeframe stands there as it is.
    if (schema === searchTimeframe)
      registry.add(text, { description: 'A name such as `last-7-days`, or a SearchTimeframe as JSON.' });
    else registry.add(text, { contentMediaType: 'application/json', contentSchema: { $ref } });
  }
}

/**
 * The OpenAPI 3.1 document at `/api/v1/openapi.json`, readable at `/docs`; made from the contract by way of the routes.
 * Must be registered before them.
 */
export async function describeApi(app: FastifyInstance): Promise<void> {
  const schemaRegistry = z.registry<Record<string, unknown>>();
  for (const [id, schema] of Object.entries(NAMED)) schemaRegistry.add(schema, { id });
  nameForms(schemaRegistry);
  const toJsonSchema = createJsonSchemaTransform({ schemaRegistry });

  const endpoints = new Map<string, Endpoint>();
  const nameSchemas = createJsonSchemaTransformObject({ schemaRegistry });
  await app.register(fastifySwagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Albedo',
        version: FRONTEND_VERSION,
        description:
          'Watch and run connected devices and energy assets. Requests that change something repeat the cookie ' +
          'XSRF-TOKEN (set by GET version; __Host-XSRF-TOKEN over https) in the header X-XSRF-TOKEN.',
      },
      components: {
        securitySchemes: SECURITY_SCHEMES,
      },
    },
    transform: (data) => {
      const { endpoint } = (data.route as RouteOptions).config ?? {};
      if (!endpoint) return { schema: { hide: true } as never, url: data.url };
      const { schema, url } = toJsonSchema(withForm(data, endpoint) as never);
      endpoints.set(`${endpoint.method.toLowerCase()} ${url.replace(/:(\w+)/g, '{$1}')}`, endpoint);
      return { schema: { ...schema, ...described(endpoint, schema) } as never, url };
    },
    transformObject: (document) =>
      withExamples(withoutUnused(nameSchemas(document) as never), endpoints) as never,
  });

  app.get(`${API_PREFIX}/openapi.json`, async () => app.swagger());
  await app.register(fastifySwaggerUi, {
    routePrefix: '/docs',
    staticCSP:
      "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; script-src 'self'; " +
      "object-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
    uiConfig: { docExpansion: 'list', deepLinking: true, tryItOutEnabled: false },
    theme: { title: 'Albedo API' },
  });
}

/** The fields of a form stand beside its files, not in the schema that validates the request. */
function withForm<D extends { schema?: object }>(data: D, endpoint: Endpoint): D {
  if (!endpoint.consumes) return data;
  const fields = endpoint.schema.body as z.ZodObject | undefined;
  const limits = endpoint.files ?? { count: 1 };
  const file = z.string().meta({ format: 'binary' });
  const name = fileField(limits);
  const body = (fields ?? z.object({})).extend({
    [name]: name === 'file' ? file : z.array(file).max(limits.count),
  });
  return { ...data, schema: { ...data.schema, body, consumes: [endpoint.consumes] } };
}

/** Every named schema comes in a form for requests and one for replies; most are never sent in. */
function withoutUnused(document: OpenApiDocument): OpenApiDocument {
  const { schemas } = document.components;
  const isUsed = (name: string) => JSON.stringify(document).includes(`"#/components/schemas/${name}"`);
  let unused: string[];
  do {
    unused = Object.keys(schemas).filter((name) => name.endsWith('Input') && !isUsed(name));
    for (const name of unused) delete schemas[name];
  } while (unused.length > 0);
  return document;
}
