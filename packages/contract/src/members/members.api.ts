import { z } from 'zod';
import { anyone, can, canInPerson } from '../access/access.ts';
import { bulk, bulkReply } from '../http/bulk.ts';
import type { Api } from '../http/endpoint.ts';
import { inWorkgroup, workgroupName } from '../workgroups/workgroups.schema.ts';
import {
  activation,
  invitation,
  invitationToken,
  invite,
  memberChange,
  memberInfo,
  newInvite,
  onInvite,
  onMember,
  registration,
} from './members.schema.ts';

const done = { 200: z.object({}) };

export const membersApi = {
  list: {
    method: 'GET',
    url: '/orgs/:wg/members',
    access: can('manageAccess', 'wgMembers'),
    summary: 'The members of the workgroup with what they may do, by name.',
    schema: { params: inWorkgroup, response: { 200: z.array(memberInfo) } },
  },
  invite: {
    method: 'POST',
    url: '/orgs/:wg/members',
    access: { ...canInPerson('manageAccess'), fresh: true },
    summary: 'Invites somebody by e-mail; an earlier invitation of the same address ends.',
    example: { body: { email: 'new.ann@example.org' } },
    schema: { params: inWorkgroup, body: newInvite, response: { 200: invite } },
    ratePerMinute: 60,
  },
  update: {
    method: 'PUT',
    url: '/orgs/:wg/members/:member',
    access: { ...canInPerson('manageAccess'), fresh: true },
    summary: 'Changes what a member may do; the sessions of the member end at once.',
    example: { body: { role: 'readonly' } },
    schema: { params: onMember, body: memberChange, response: { 200: memberInfo } },
  },
  remove: {
    method: 'DELETE',
    url: '/orgs/:wg/members/:member',
    access: can('manageAccess'),
    summary: 'Removes a member from the workgroup; the sessions of the member end at once.',
    schema: { params: onMember, response: done },
  },
  bindSeveral: {
    method: 'POST',
    url: '/orgs/:wg/members/device-group',
    access: { ...canInPerson('manageAccess'), fresh: true },
    summary:
      'Binds several members to a device group, or to none; one that fails does not hold up the others.',
    example: { body: { ids: ['5f0c8a8e-4b7f-4f7e-9f0b-0e9d6a6d1c11'], devGroup: null } },
    schema: {
      params: inWorkgroup,
      body: bulk.extend({ devGroup: z.uuid().nullable() }),
      response: { 200: bulkReply },
    },
  },
  removeSeveral: {
    method: 'POST',
    url: '/orgs/:wg/members/remove',
    access: can('manageAccess'),
    summary: 'Removes several members from the workgroup; one that fails does not hold up the others.',
    example: { body: { ids: ['5f0c8a8e-4b7f-4f7e-9f0b-0e9d6a6d1c11'] } },
    schema: { params: inWorkgroup, body: bulk, response: { 200: bulkReply } },
  },
  invites: {
    method: 'GET',
    url: '/orgs/:wg/invites',
    access: can('manageAccess'),
    summary: 'The invitations that are not answered, expired ones too, newest first.',
    schema: { params: inWorkgroup, response: { 200: z.array(invite) } },
  },
  resendInvite: {
    method: 'POST',
    url: '/orgs/:wg/invites/:invite/resend',
    access: can('manageAccess'),
    summary: 'Mails the invitation again with a new link and a new life; the old link ends.',
    schema: { params: onInvite, response: { 200: invite } },
    ratePerMinute: 30,
  },
  removeInvite: {
    method: 'DELETE',
    url: '/orgs/:wg/invites/:invite',
    access: can('manageAccess'),
    summary: 'Takes an invitation back; its link ends.',
    schema: { params: onInvite, response: done },
  },
  resendInvites: {
    method: 'POST',
    url: '/orgs/:wg/invites/resend',
    access: can('manageAccess'),
    summary: 'Mails several invitations again; one that fails does not hold up the others.',
    example: { body: { ids: ['5f0c8a8e-4b7f-4f7e-9f0b-0e9d6a6d1c11'] } },
    schema: { params: inWorkgroup, body: bulk, response: { 200: bulkReply } },
    ratePerMinute: 20,
  },
  removeInvites: {
    method: 'POST',
    url: '/orgs/:wg/invites/remove',
    access: can('manageAccess'),
    summary: 'Takes several invitations back; one that fails does not hold up the others.',
    example: { body: { ids: ['5f0c8a8e-4b7f-4f7e-9f0b-0e9d6a6d1c11'] } },
    schema: { params: inWorkgroup, body: bulk, response: { 200: bulkReply } },
  },
  invitation: {
    method: 'GET',
    url: '/newuser/:orgName/:token',
    access: anyone,
    summary: 'What the link of an invitation leads to.',
    schema: {
      params: z.object({ orgName: workgroupName, token: invitationToken }),
      response: { 200: invitation },
    },
    ratePerMinute: 30,
  },
  register: {
    method: 'POST',
    url: '/newuser',
    access: anyone,
    summary: 'Accepts an invitation: a new account is made, an existing one joins the workgroup.',
    example: { body: { orgName: 'main', token: 'the-token-of-the-link' } },
    schema: { body: registration, response: done },
    ratePerMinute: 20,
  },
  activation: {
    method: 'GET',
    url: '/activate/:token',
    access: anyone,
    summary: 'What the link of an activation e-mail leads to.',
    schema: { params: z.object({ token: invitationToken }), response: { 200: invitation } },
    ratePerMinute: 30,
  },
  activate: {
    method: 'POST',
    url: '/activate/:token',
    access: anyone,
    summary: 'Activates the account that the staff made ready, with its password.',
    example: { body: { name: 'Ann', password: 'a good long password' } },
    schema: { params: z.object({ token: invitationToken }), body: activation, response: done },
    ratePerMinute: 20,
  },
} as const satisfies Api;
