import type { Endpoint } from '@albedo/contract/http/endpoint';
import { exampleParams } from '@albedo/contract/http/examples';
import { sample } from 'openapi-sampler';

interface Content {
  schema?: object;
  example?: unknown;
}
interface Operation {
  parameters?: { name: string; in: string; example?: unknown }[];
  requestBody?: { content: Record<string, Content> };
  responses: Record<string, { content?: Record<string, Content> }>;
}

/** As much of an OpenAPI document as is worked on here. */
export interface OpenApiDocument {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object> };
}

/** Shows a good request to each endpoint, as the contract has it, and an answer that is made from its schema. */
export function withExamples(
  document: OpenApiDocument,
  endpoints: ReadonlyMap<string, Endpoint>,
): OpenApiDocument {
  for (const [path, operations] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(operations)) {
      const endpoint = endpoints.get(`${method} ${path}`);
      if (endpoint) show(operation, endpoint, document);
    }
  return document;
}

function show(operation: Operation, endpoint: Endpoint, document: OpenApiDocument): void {
  const { query, body } = endpoint.example ?? {};
  const given = new Map(Object.entries({ ...exampleParams(endpoint), ...(query as object | undefined) }));
  for (const parameter of operation.parameters ?? []) {
    const example = given.get(parameter.name);
    if (example !== undefined) parameter.example = example;
  }
  if (body !== undefined)
    for (const content of Object.values(operation.requestBody?.content ?? {})) content.example = body;
  const answer = operation.responses['200']?.content?.['application/json'];
  if (answer?.schema) answer.example = sample(answer.schema, { quiet: true }, document);
}
