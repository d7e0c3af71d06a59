import { z } from 'zod';
import { anyone, can } from '../access/access.ts';
import type { Api } from '../http/endpoint.ts';
import { inWorkgroup } from '../workgroups/workgroups.schema.ts';
import {
  ofWorkgroup,
  oidcAnswer,
  providerChange,
  providerName,
  samlAnswer,
  signInSettings,
  ssoFinish,
  ssoLookup,
  ssoStart,
} from './identity-providers.schema.ts';

export const identityProvidersApi = {
  get: {
    method: 'GET',
    url: '/orgs/:wg/idp',
    access: can('manageAccess'),
    summary: 'The identity provider of the workgroup, and what has to be entered there.',
    schema: { params: inWorkgroup, response: { 200: signInSettings } },
  },
  set: {
    method: 'PUT',
    url: '/orgs/:wg/idp',
    access: can('manageAccess'),
    summary: 'Sets or removes the identity provider of the workgroup; only its owners may.',
    schema: { params: inWorkgroup, body: providerChange, response: { 200: signInSettings } },
    ratePerMinute: 20,
  },
  available: {
    method: 'GET',
    url: '/orgs/:wg/idps',
    access: can('manageAccess'),
    summary: 'The identity providers that somebody can be invited with.',
    schema: { params: inWorkgroup, response: { 200: z.array(providerName) } },
  },
  lookup: {
    method: 'POST',
    url: '/auth/saml/login',
    access: anyone,
    summary: 'The identity provider that an e-mail address signs in with.',
    schema: { body: ssoLookup, response: { 200: providerName } },
    ratePerMinute: 20,
  },
  start: {
    method: 'GET',
    url: '/auth/saml/login/sso',
    access: anyone,
    summary: 'Leads the browser to the identity provider, SAML or OpenID Connect.',
    schema: { querystring: ssoStart },
    produces: 'text/plain',
    ratePerMinute: 30,
  },
  acs: {
    method: 'POST',
    url: '/auth/saml/login/sso/callback',
    access: anyone,
    summary: 'Takes the answer of a SAML identity provider (assertion consumer service).',
    schema: { body: samlAnswer },
    produces: 'text/plain',
    ratePerMinute: 60,
    crossSite: true,
  },
  finish: {
    method: 'GET',
    url: '/auth/saml/login/sso/finish',
    access: anyone,
    summary: 'Hands the session over to the browser that began the sign-in.',
    schema: { querystring: ssoFinish },
    produces: 'text/plain',
    ratePerMinute: 60,
  },
  metadata: {
    method: 'GET',
    url: '/auth/saml/metadata/:orgName',
    access: anyone,
    summary: 'Metadata of the service provider for the identity provider of a workgroup.',
    schema: { params: ofWorkgroup },
    produces: 'application/samlmetadata+xml',
    ratePerMinute: 60,
  },
  oidcCallback: {
    method: 'GET',
    url: '/auth/oidc/callback/:orgName',
    access: anyone,
    summary: 'Takes the answer of an OpenID provider.',
    schema: { params: ofWorkgroup, querystring: oidcAnswer },
    produces: 'text/plain',
    ratePerMinute: 60,
  },
} as const satisfies Api;
