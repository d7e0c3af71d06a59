import { canInPerson, enrolling, member, oneTimeCode, signedIn } from '../access/access.ts';
import type { Api } from '../http/endpoint.ts';
import { sessionToken } from '../sessions/sessions.schema.ts';
import { inWorkgroup } from '../workgroups/workgroups.schema.ts';
import {
  codeKey,
  mfaPolicy,
  newRecoveryCode,
  recoveryKey,
  setupDone,
  setupOffer,
  setupRequest,
} from './mfa.schema.ts';

export const mfaApi = {
  enterCode: {
    method: 'POST',
    url: '/auth/local/totp',
    access: oneTimeCode,
    summary: 'Completes a sign-in with the code of the authenticator app and answers a session token.',
    example: { body: { key: '000000' } },
    schema: { body: codeKey, response: { 200: sessionToken } },
    ratePerMinute: 30,
  },
  recover: {
    method: 'POST',
    url: '/auth/local/totp-recover',
    access: oneTimeCode,
    summary: 'Uses up the recovery code and answers a token to set up two-factor authentication anew.',
    example: { body: { key: 'ABCDEFGHJKLMNPQRABCDEFGHJKLMNPQR' } },
    schema: { body: recoveryKey, response: { 200: sessionToken } },
    ratePerMinute: 30,
  },
  beginSetup: {
    method: 'POST',
    url: '/me/totp-setup',
    access: { ...enrolling, fresh: true },
    summary: 'Makes a new secret for an authenticator app; it counts once a code of it is confirmed.',
    example: { body: { key: '000000' } },
    schema: { body: setupRequest, response: { 200: setupOffer } },
    ratePerMinute: 30,
  },
  confirmSetup: {
    method: 'PUT',
    url: '/me/totp-setup',
    access: enrolling,
    summary: 'Confirms the new secret with a code; answers a session token and the recovery code, once.',
    example: { body: { key: '000000' } },
    schema: { body: codeKey, response: { 200: setupDone } },
    ratePerMinute: 30,
  },
  renewRecoveryCode: {
    method: 'PUT',
    url: '/me/totp-recover',
    access: signedIn,
    summary: 'Makes a new recovery code, for a code of the authenticator app; the old one ends.',
    example: { body: { key: '000000' } },
    schema: { body: codeKey, response: { 200: newRecoveryCode } },
    ratePerMinute: 30,
  },
  policy: {
    method: 'GET',
    url: '/orgs/:wg/mfa',
    access: member,
    summary: 'Whether the workgroup demands two-factor authentication of its members.',
    schema: { params: inWorkgroup, response: { 200: mfaPolicy } },
  },
  setPolicy: {
    method: 'PUT',
    url: '/orgs/:wg/mfa',
    access: { ...canInPerson('manageAccess'), unbound: true, fresh: true },
    summary:
      'Demands two-factor authentication of every member, or stops to; sessions without it end at once.',
    example: { body: { required: false } },
    schema: { params: inWorkgroup, body: mfaPolicy, response: { 200: mfaPolicy } },
  },
} as const satisfies Api;
