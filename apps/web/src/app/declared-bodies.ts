import type { Endpoint } from '@albedo/contract/http/endpoint';
import { demandedBody } from '@albedo/contract/http/query';

/** Throws where a body has what the endpoint does not declare: the server refuses that, and types do not see all of it. */
export function demandDeclared(endpoint: Endpoint, body: unknown): void {
  if (body === undefined || body instanceof FormData) return;
  const { error } = demandedBody(endpoint)?.safeParse(JSON.parse(JSON.stringify(body))) ?? {};
  const found = error?.issues.filter(({ code }) => code === 'unrecognized_keys') ?? [];
  if (found.length > 0)
    throw new Error(`${endpoint.method} ${endpoint.url} does not declare ${JSON.stringify(found)}`);
}
