import { globSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lackOf } from '../access/access.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { tokenPermission } from './api-tokens.schema.ts';

const ROOMS =
  '{access-control,accounts,api-tokens,device-groups,identity-providers,members,mfa,passkeys,roles,sessions,step-up,user-admin}';
const source = join(import.meta.dirname, '..');
const contract = await Promise.all(
  globSync(`${ROOMS}/*.api.ts`, { cwd: source }).map((file) => import(join(source, file)) as Promise<object>),
);
const changes = contract
  .flatMap((module) => Object.values(module))
  .flatMap((api) => Object.values(api as Record<string, Endpoint>))
  .filter(
    ({ method, access, url }) =>
      method !== 'GET' && access.who.kind !== 'public' && !url.endsWith('/preview'),
  )
  .map((endpoint) => [`${endpoint.method} ${endpoint.url}`, endpoint] as const);

test.each(changes)(
  '%s is out of reach for an API token that holds all it can be given',
  (_name, { access }) => {
    const permissions = [...tokenPermission.options];
    const scope = {
      role: 'readonly',
      permissions,
      ps: '',
      devGroup: null,
      scopes: { device: ['rpc'] },
    } as const;
    expect(
      lackOf(access.who, {
        scope: { ...scope, scopes: { device: ['rpc'] } },
        isStaff: false,
        isApiToken: true,
      }),
    ).not.toBeNull();
  },
);
