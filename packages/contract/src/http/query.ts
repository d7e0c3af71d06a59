import { z } from 'zod';
import type { Endpoint } from './endpoint.ts';
import { strictly } from './strictly.ts';

/**
 * The query of an endpoint as the server reads it. What is not declared is refused rather than ignored: a parameter with a
 * typo would otherwise change an answer without a word. Where others decide what an address has besides, as Grafana and
 * identity providers do, the endpoint declares a loose object.
 */
export function demandedQuery({ method, access, schema }: Endpoint): z.ZodType | undefined {
  const { querystring, response } = schema;
  if (querystring instanceof z.ZodObject && !querystring.def.catchall) return querystring.strict();
  // Pages of others may keep a public answer from being cached in ways of their own.
  const takesNone = method === 'GET' && response !== undefined && access.who.kind !== 'public';
  return querystring ?? (takesNone ? z.strictObject({}) : undefined);
}

/** The body of an endpoint as the server reads it: what is not declared is refused, as in an address. */
export const demandedBody = ({ schema }: Pick<Endpoint, 'schema'>): z.ZodType | undefined =>
  schema.body && strictly(schema.body);

/** Flags as addresses and settings have them. Source: specification 1, section 5. */
export const isOn = (value: unknown): boolean =>
  value !== undefined && value !== null && !/^(false|f|off|no|n|0|)$/i.test(String(value));

export const flag = z.string().optional().transform(isOn);
