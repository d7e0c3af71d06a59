import { randomBytes } from 'node:crypto';
import { hashPassword } from '../secrets/passwords.ts';
import type { UsersStore } from '../users/users.store.ts';
import type { NewWorkgroup, Workgroups } from '../workgroups/workgroups.service.ts';

/** Workgroup of a first start, so that its owner has somewhere to add devices. */
const FIRST_WORKGROUP: NewWorkgroup = { name: 'main', displayName: 'Main' };

/** How long a printed password is good on a server that others reach, ms: long enough to choose an own one. */
const PRINTED_MS = 3 * 86_400_000;

/** The first owner as the terminal shows it; `password` is null when the operator chose it. */
export interface FirstOwner {
  email: string;
  password: string | null;
  /** When the password that was made stops opening anything; null for never. */
  passwordUntil: Date | null;
}

/** Makes the first owner and a workgroup on an empty database. Null when there are users already. */
export async function makeFirstOwner(options: {
  users: UsersStore;
  workgroups: Workgroups;
  email: string;
  password: string | null;
  workgroup?: NewWorkgroup;
  mfaRequired: boolean;
  /** Others than this machine reach the server. */
  isPublic: boolean;
}): Promise<FirstOwner | null> {
  const { users, workgroups, email, mfaRequired, isPublic } = options;
  if (await users.hasUsers()) return null;

  const password = options.password ?? randomBytes(16).toString('base64url');
  const isForAWhile = options.password === null && isPublic;
  const passwordUntil = isForAWhile ? new Date(Date.now() + PRINTED_MS) : null;
  const workgroup = options.workgroup ?? FIRST_WORKGROUP;
  const owner = await users.addUser({
    email,
    name: email.split('@')[0] ?? email,
    passwordHash: await hashPassword(password),
    passwordUntil,
    defaultWorkgroup: workgroup.name,
  });
  if (!owner) return null;
  await workgroups.ensure({ mfaRequired, ...workgroup });
  await workgroups.setMember(workgroup.name, owner.id, { role: 'owner' });
  return { email, password: options.password === null ? password : null, passwordUntil };
}
