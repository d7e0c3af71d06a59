import type { Access } from '@albedo/contract/access/access';
import { completeness, quarantined } from '@albedo/contract/completeness/completeness.schema';
import {
  certificateInfo,
  device,
  deviceFacts,
  deviceSummary,
  installOffer,
  latestSource,
} from '@albedo/contract/devices/devices.schema';
import { deviceMeta } from '@albedo/contract/devices/meta.schema';
import { API_PREFIX, type Endpoint } from '@albedo/contract/http/endpoint';
import { errorBody } from '@albedo/contract/http/errors';
import { FRONTEND_VERSION } from '@albedo/contract/product';
import { sessionClaims } from '@albedo/contract/sessions/sessions.schema';
import { searchResult, seriesPoints, tableInfo } from '@albedo/contract/telemetry/telemetry.schema';
import { workgroup } from '@albedo/contract/workgroups/workgroups.schema';
import fastifySwagger from '@fastify/swagger';
import fastifySwaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { z } from 'zod';

/** Schemas that the document shows under a name of their own. */
const NAMED = {
  Certificate: certificateInfo,
  Completeness: completeness,
  Device: device,
  DeviceFacts: deviceFacts,
  DeviceMeta: deviceMeta,
  DeviceSummary: deviceSummary,
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

/**
 * The OpenAPI 3.1 document at `/api/v1/openapi.json`, readable at `/docs`; made from the contract by way of the routes.
 * Must be registered before them.
 */
export async function describeApi(app: FastifyInstance): Promise<void> {
  const schemaRegistry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(NAMED)) schemaRegistry.add(schema, { id });
  const toJsonSchema = createJsonSchemaTransform({ schemaRegistry });

  const nameSchemas = createJsonSchemaTransformObject({ schemaRegistry });
  await app.register(fastifySwagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Albedo',
        version: FRONTEND_VERSION,
        description:
          'Watch and run connected devices and energy assets. Requests that change something repeat the cookie ' +
          'XSRF-TOKEN (set by GET version) in the header X-XSRF-TOKEN.',
      },
      components: {
        securitySchemes: {
          session: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'A session token.' },
          enrolment: { type: 'http', scheme: 'bearer', description: 'A one-time agent pack token.' },
        },
      },
    },
    transform: (data) => {
      const { endpoint } = (data.route as RouteOptions).config ?? {};
      if (!endpoint) return { schema: { hide: true } as never, url: data.url };
      const { schema, url } = toJsonSchema(withForm(data, endpoint) as never);
      return { schema: { ...schema, ...described(endpoint, schema) } as never, url };
    },
    transformObject: (document) => withoutUnused(nameSchemas(document) as never) as never,
  });

  app.get(`${API_PREFIX}/openapi.json`, async () => app.swagger());
  await app.register(fastifySwaggerUi, {
    routePrefix: '/docs',
    staticCSP:
      "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; script-src 'self'; " +
      "object-src 'none'; frame-ancestors 'none'; base-uri 'self'; form-action 'self'",
    uiConfig: { docExpansion: 'list', deepLinking: true, tryItOutEnabled: false },
    theme: { title: 'Albedo API' },
  });
}

/** The fields of a form stand beside its files, not in the schema that validates the request. */
function withForm<D extends { schema?: object }>(data: D, endpoint: Endpoint): D {
  if (!endpoint.consumes) return data;
  const fields = endpoint.schema.body as z.ZodObject | undefined;
  const files = z.array(z.string().meta({ format: 'binary' })).max(endpoint.files?.count ?? 1);
  const body = (fields ?? z.object({})).extend({ files });
  return { ...data, schema: { ...data.schema, body, consumes: [endpoint.consumes] } };
}

interface OpenApiDocument {
  components: { schemas: Record<string, unknown> };
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

function described(endpoint: Endpoint, schema: object): Record<string, unknown> {
  const { access } = endpoint;
  const kind = access.who.kind === 'enrolment' ? 'enrolment' : 'session';
  const { response } = schema as { response?: Record<string, unknown> };
  return {
    tags: [endpoint.url.split('/')[1] ?? 'server'],
    description: accessText(access),
    ...(access.who.kind === 'public' ? {} : { security: [{ [kind]: [] }] }),
    response: {
      ...(endpoint.produces
        ? { 200: { description: 'The file.', content: { [endpoint.produces]: { schema: FILE } } } }
        : response),
      default: { description: 'What went wrong.', $ref: '#/components/schemas/Error' },
    },
  };
}

const FILE = { type: 'string', format: 'binary' };

/** Who may call it, for people. */
export function accessText({ who }: Access): string {
  switch (who.kind) {
    case 'public':
      return 'Anyone may call it.';
    case 'signedIn':
      return 'Any signed-in user may call it.';
    case 'member':
      return 'Members of the workgroup may call it.';
    case 'can':
      return `Members of the workgroup with the permission ${who.permissions.join(' or ')} may call it.`;
    case 'commands':
      return 'Members of the workgroup who may run remote commands may call it.';
    case 'apiToken':
      return 'The bearer of an API token may call it.';
    case 'staff':
      return 'Provider staff may call it.';
    case 'addonManager':
      return 'Provider staff who manage addons may call it.';
    case 'enrolment':
      return 'The bearer of a one-time agent pack token may call it.';
    case 'oneTimeCode':
      return 'The bearer of a login token, which waits for a one-time code, may call it.';
    case 'enrolling':
      return 'Any signed-in user, and the bearer of an enrolment token, may call it.';
  }
}
