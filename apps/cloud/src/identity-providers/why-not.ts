import type { SsoFailure } from '@albedo/contract/identity-providers/identity-providers.names';
import { domainOf } from '../users/users.store.ts';
import type { IdentityProvidersStore, ProviderRow } from './identity-providers.store.ts';
import type { Person } from './person.ts';

export interface WhyNot {
  /** For people who manage access: what is missing, and what to do. */
  reason: string;
  failure: SsoFailure;
}

/** Why somebody whom a provider named, with a good answer, does not get in. */
export async function whyNot(of: {
  store: Pick<IdentityProvidersStore, 'standing'>;
  provider: ProviderRow;
  person: Person;
  staffDomains: readonly string[];
}): Promise<WhyNot> {
  const { store, provider, person, staffDomains } = of;
  const { subject, emails } = person;
  const who = person.isHidden ? 'Someone whose name the provider encrypted' : (emails[0] ?? subject);
  const notInvited = (text: string): WhyNot => ({ reason: `${who} ${text}`, failure: 'not_invited' });
  if (emails.length === 0) {
    const how = provider.kind === 'saml' ? 'as NameID or as the attribute "email"' : 'as the claim "email"';
    return {
      reason: `The provider named ${who} without an email address, which the first sign-in needs. Let it send the address ${how}.`,
      failure: 'no_email',
    };
  }
  const { invite, account } = await store.standing(provider, emails);
  if (account?.isLinked)
    return notInvited(
      'is known by another name (NameID or sub) at the provider. If it is the same person, remove and invite them again.',
    );
  const isInvited = invite !== null && invite.idpId === provider.id;
  if (isInvited && invite.expiresAt.getTime() <= Date.now())
    return notInvited('has an invite that has expired. Send it again.');
  if (isInvited && account)
    return notInvited('has an account but has not opened the link in the invite yet.');
  if (isInvited && emails.some((email) => staffDomains.includes(domainOf(email))))
    return notInvited(
      'has an address of the staff of this service, for whom no provider can create an account.',
    );
  if (invite !== null)
    return notInvited(
      'is invited to sign in with a password. Invite them with the identity provider instead.',
    );
  if (account?.isMember)
    return notInvited(
      'signs in to the workgroup with a password. Invite them again with the identity provider.',
    );
  return notInvited(
    'was not invited with this identity provider. If their address changed there, invite the new one.',
  );
}
