/** What the contract declares, by name, with the file that declares it. */
import { globSync } from 'node:fs';
import { join } from 'node:path';
import type { Screen, Screens } from '@albedo/contract/access/screens';
import type { Api, Endpoint } from '@albedo/contract/http/endpoint';
import type { SocketAction, SocketEvents } from '@albedo/contract/sockets/action';
import { HOUSE } from './source.ts';

export type Declared<T> = Map<string, { it: T; file: string }>;

/** Everything that contract files with this suffix export under names with this ending. */
async function declared<T>(suffix: string, end: string): Promise<Declared<T>> {
  const all: Declared<T> = new Map();
  for (const file of globSync(`packages/contract/src/*/*.${suffix}.ts`, { cwd: HOUSE }).toSorted()) {
    const module: Record<string, object> = await import(join(HOUSE, file));
    for (const [exported, things] of Object.entries(module))
      if (exported.endsWith(end))
        for (const [name, it] of Object.entries(things)) all.set(name, { it, file });
  }
  return all;
}

/** A path without the names of its parameters: `PUT devices/{}/{}/settings/{}`. */
export const withoutNames = (call: string): string => call.replace(/\{\w+\}|:\w+|\$\w+/g, '{}');

/** By method and path without the names of parameters. */
export async function endpoints(): Promise<Declared<Endpoint>> {
  const byPath: Declared<Endpoint> = new Map();
  for (const { it: api, file } of (await exportedApis()).values())
    for (const endpoint of Object.values(api))
      byPath.set(withoutNames(`${endpoint.method} ${endpoint.url.slice(1)}`), { it: endpoint, file });
  return byPath;
}

async function exportedApis(): Promise<Declared<Api>> {
  const apis: Declared<Api> = new Map();
  for (const file of globSync('packages/contract/src/*/*.api.ts', { cwd: HOUSE }).toSorted()) {
    const module: Record<string, Api> = await import(join(HOUSE, file));
    for (const [name, it] of Object.entries(module)) if (name.endsWith('Api')) apis.set(name, { it, file });
  }
  return apis;
}

/** By address, without the names of parameters. */
export async function screens(): Promise<Declared<Screen>> {
  const all = await declared<Screens[`/${string}`]>('screens', 'Screens');
  for (const [path, screen] of await declared<Screens[`/${string}`]>('api', 'Screens')) all.set(path, screen);
  return new Map([...all].map(([path, screen]) => [withoutNames(path), screen]));
}

export const actions = (): Promise<Declared<SocketAction>> => declared('socket', 'Actions');

export const events = (): Promise<Declared<SocketEvents[string]>> => declared('socket', 'Events');

/** Names of all fields in a schema, however deep: of objects, and of what wraps, joins or lists them. */
export function fieldsOf(schema: unknown, seen: Set<unknown> = new Set()): Set<string> {
  if (typeof schema !== 'object' || schema === null || seen.has(schema)) return new Set();
  seen.add(schema);
  const { def } = schema as { def?: Record<string, unknown> };
  const fields = new Set<string>();
  for (const part of Object.values(def ?? schema)) {
    const { def: inner, shape } = (part ?? {}) as { def?: unknown; shape?: unknown };
    if (def?.type === 'object' && part === def.shape)
      for (const name of Object.keys(part as object)) fields.add(name);
    if (inner || shape || Array.isArray(part) || part === def?.shape)
      for (const name of fieldsOf(part, seen)) fields.add(name);
  }
  return fields;
}
