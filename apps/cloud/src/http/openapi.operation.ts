import { type Access, FRESH_MINUTES, type Who } from '@albedo/contract/access/access';
import { tokenPermission } from '@albedo/contract/api-tokens/api-tokens.schema';
import type { Endpoint } from '@albedo/contract/http/endpoint';
import { demandedQuery } from '@albedo/contract/http/query';
import { ADDONS } from '@albedo/contract/workgroups/addons.schema';

const bearer = (description: string) => ({ type: 'http', scheme: 'bearer', description }) as const;

export const SECURITY_SCHEMES = {
  session: { ...bearer('A session token.'), bearerFormat: 'JWT' },
  apiToken: { ...bearer('An API token of a workgroup.'), bearerFormat: 'JWT' },
  login: { ...bearer('A login token, which waits for the second factor.'), bearerFormat: 'JWT' },
  setup: {
    ...bearer('An enrolment token, which is good for setting up the second factor.'),
    bearerFormat: 'JWT',
  },
  agentPack: bearer('A one-time agent pack token.'),
  display: bearer('The token of a display link.'),
  antiForgery: {
    type: 'apiKey',
    in: 'header',
    name: 'X-XSRF-TOKEN',
    description: 'The value of the cookie XSRF-TOKEN (__Host-XSRF-TOKEN over https), which GET version sets.',
  },
} as const;

type Scheme = keyof typeof SECURITY_SCHEMES;

/** What the document says of an endpoint beside its schemas, all of it from the declaration. */
export function described(endpoint: Endpoint, schema: object): Record<string, unknown> {
  const { access } = endpoint;
  const { response } = schema as { response?: Record<string, unknown> };
  return {
    tags: [endpoint.url.split('/')[1] ?? 'server'],
    description: accessText(access),
    'x-access': access,
    ...securityOf(endpoint),
    response: {
      ...(endpoint.produces
        ? { 200: { description: 'The file.', content: { [endpoint.produces]: { schema: FILE } } } }
        : response),
      ...Object.fromEntries(
        refusals(endpoint).map(([status, description]) => [status, failure(description)]),
      ),
      default: failure('What went wrong.'),
    },
  };
}

const FILE = { type: 'string', format: 'binary' };
const failure = (description: string) => ({ description, $ref: '#/components/schemas/Error' });

/** Which tokens open it, each with the anti-forgery header where a browser would send it unasked. */
function securityOf({ access, method, crossSite }: Endpoint): { security?: Record<string, string[]>[] } {
  const isForgeable = method !== 'GET' && !crossSite;
  const schemes = schemesOf(access.who);
  if (schemes.length === 0) return isForgeable ? { security: [{ antiForgery: [] }] } : {};
  const isSent = (scheme: Scheme) => isForgeable && !['apiToken', 'agentPack', 'display'].includes(scheme);
  return {
    security: schemes.map((scheme) => ({ [scheme]: [], ...(isSent(scheme) ? { antiForgery: [] } : {}) })),
  };
}

function schemesOf(who: Who): Scheme[] {
  switch (who.kind) {
    case 'public':
      return [];
    case 'apiToken':
      return ['apiToken'];
    case 'enrolment':
      return ['agentPack'];
    case 'display':
      return ['display'];
    case 'oneTimeCode':
      return ['login'];
    case 'enrolling':
      return ['session', 'setup'];
    case 'member':
    case 'commands':
      return who.inPerson ? ['session'] : ['session', 'apiToken'];
    case 'can': {
      const grantable: readonly string[] = tokenPermission.options;
      const isForTokens = !who.inPerson && who.permissions.some((one) => grantable.includes(one));
      return isForTokens ? ['session', 'apiToken'] : ['session'];
    }
    default:
      return ['session'];
  }
}

/** The statuses of what an endpoint may refuse, as they follow from its access and its schemas. */
function refusals(endpoint: Endpoint): [status: number, description: string][] {
  const { access, method, schema, url, files } = endpoint;
  const { who, unbound, addon, rule, fresh } = access;
  const isPublic = who.kind === 'public';
  const takesBody = schema.body !== undefined || files !== undefined;
  const takesInput = takesBody || schema.params !== undefined || demandedQuery(endpoint) !== undefined;
  const namesSomething = /:(?!wg\b)\w+/.test(url);
  const denied = [
    ...(isPublic ? [] : ['request.forbidden']),
    ...(method === 'GET' ? [] : ['request.csrf']),
    ...(who.kind === 'can' ? ['access.permission_missing'] : []),
    ...(who.kind === 'can' && who.roles ? ['access.role_missing'] : []),
    ...(who.kind === 'commands' ? ['access.no_commands'] : []),
    ...('inPerson' in who ? ['access.in_person'] : []),
    ...(isOfWorkgroup(who) ? ['workgroup.suspended'] : []),
    ...(unbound ? ['device_group.bound'] : []),
    ...(addon ? ['access.addon_missing'] : []),
    ...(rule ? ['access.denied'] : []),
    ...(fresh ? ['session.not_fresh'] : []),
  ];
  const all: [number, string, boolean][] = [
    [400, 'The request does not fit: `issues` names the fields.', takesInput],
    [401, 'The token is missing, wrong, expired or revoked.', !isPublic],
    [403, `Refused: ${denied.map((one) => `\`${one}\``).join(', ')}.`, denied.length > 0],
    [404, 'It does not exist, or not for the caller.', namesSomething],
    [409, 'It does not go with what is there.', method !== 'GET' && (takesBody || namesSomething)],
    [413, 'The request is too large.', takesBody],
    [429, 'Too many requests; `retry-after` tells how many seconds to wait.', true],
  ];
  return all.flatMap(([status, description, applies]) => (applies ? [[status, description]] : []));
}

const isOfWorkgroup = ({ kind }: Who): boolean => kind === 'member' || kind === 'can' || kind === 'commands';

/** Who may call it and what else it takes, for people. */
export function accessText({ who, unbound, addon, rule, fresh }: Access): string {
  return [
    whoText(who),
    ...('inPerson' in who ? ['API tokens may not.'] : []),
    ...(unbound ? ['Members of a device group may not.'] : []),
    ...(addon ? [`The workgroup needs the addon ${ADDONS[addon].name}.`] : []),
    ...(rule ? [`The access-control rules have to allow ${rule.action} on ${rule.resource}.`] : []),
    ...(fresh ? [freshText(fresh)] : []),
  ].join(' ');
}

function freshText(fresh: NonNullable<Access['fresh']>): string {
  const where =
    fresh === true
      ? ''
      : ` where ${Object.entries(fresh.body)
          .map(([name, value]) => `${name} is ${value}`)
          .join(' and ')}`;
  return `The second factor, or the password, must have been confirmed within ${FRESH_MINUTES} minutes${where}.`;
}

function whoText(who: Who): string {
  switch (who.kind) {
    case 'public':
      return 'Anyone may call it.';
    case 'signedIn':
      return 'Any signed-in user may call it.';
    case 'member':
      return 'Members of the workgroup may call it.';
    case 'can':
      return `Members of the workgroup with the permission ${who.permissions.join(' or ')}${who.roles ? ` and the role ${who.roles.join(' or ')}` : ''} may call it.`;
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
    case 'display':
      return 'A screen with a display link may call it.';
    case 'oneTimeCode':
      return 'The bearer of a login token, which waits for a one-time code, may call it.';
    case 'enrolling':
      return 'Any signed-in user, and the bearer of an enrolment token, may call it.';
  }
}
