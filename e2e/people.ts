import type { Permission, Role } from '@albedo/contract/access/permissions';
import { membersApi } from '@albedo/contract/members/members.api';
import { workgroupRequestsApi } from '@albedo/contract/workgroup-requests/workgroup-requests.api';
import { ApiCaller } from './harness/api.ts';
import { linkFor } from './mails.ts';
import { OWNER } from './owner.ts';
import { BASE } from './place.ts';

export interface Person {
  name: string;
  email: string;
  password: string;
}

export async function callerOf({ email, password }: Pick<Person, 'email' | 'password'>): Promise<ApiCaller> {
  const caller = new ApiCaller(BASE);
  await caller.signIn(email, password);
  return caller;
}

/** Makes a workgroup as the staff does when somebody asked for it, with that person as its owner. */
export async function makeWorkgroup(name: string, displayName: string, person: Person): Promise<void> {
  const staff = await callerOf(OWNER);
  await staff.call(workgroupRequestsApi.submit, {
    body: {
      name: person.name,
      title: 'Engineer',
      company: displayName,
      email: person.email,
      website: 'example.org',
      country: 'Austria',
      countryCode: 'AT',
      phone: '1',
      description: 'A journey.',
    },
  });
  const requests = await staff.call(workgroupRequestsApi.list, {});
  const request = requests.find(({ email, status }) => email === person.email && status === 'open');
  if (!request) throw new Error(`${person.email} asked for nothing.`);
  await staff.call(workgroupRequestsApi.accept, {
    params: { request: request._id },
    body: { name, displayName },
  });
  const token = tokenOf(await linkFor(person.email, '/activate'));
  await staff.call(membersApi.activate, {
    params: { token },
    body: { name: person.name, password: person.password },
  });
}

/** Brings a person into a workgroup by an invitation of `host`; people without an account get one. */
export async function bringIn(
  host: Pick<Person, 'email' | 'password'>,
  workgroup: string,
  person: Person,
  rights: { role: Role; permissions?: Permission[] },
  hasAccount = false,
): Promise<void> {
  const caller = await callerOf(host);
  await caller.call(membersApi.invite, {
    params: { wg: workgroup },
    body: { email: person.email, ...rights },
  });
  const token = tokenOf(await linkFor(person.email, `/invitation/${workgroup}`));
  const details = hasAccount ? {} : { name: person.name, password: person.password };
  await caller.call(membersApi.register, { body: { orgName: workgroup, token, ...details } });
}

const tokenOf = (link: string): string => link.slice(link.lastIndexOf('/') + 1);
