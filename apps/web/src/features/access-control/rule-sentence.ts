import { ALL_RESOURCES } from '@albedo/contract/access/resources';
import type { NewAccessRule } from '@albedo/contract/access-control/access-control.schema';
import type { TFunction } from 'i18next';
import { localeTag } from '../../ui/units/locale.ts';
import type { Principals } from './use-principals.ts';

/** A rule in plain language: `Users with the role Guests may not run every device command.` */
export function ruleSentence(t: TFunction, rule: NewAccessRule, { nameOf }: Principals): string {
  const { effect, actions, resourceType, resourceId, principalType, principalId } = rule;
  const type = effect === 'Allow' ? 'conjunction' : 'disjunction';
  const words = actions.map((one) => t(`accessControl.actions.${one}`));
  return t(effect === 'Allow' ? 'accessControl.may' : 'accessControl.mayNot', {
    who: nameOf(principalType, principalId),
    actions: new Intl.ListFormat(localeTag(), { type }).format(words),
    what: resourceText(t, resourceType, resourceId, effect === 'Allow'),
  });
}

/** A word of a sentence where it stands by itself. */
export const capital = (text: string): string => text.charAt(0).toLocaleUpperCase() + text.slice(1);

/** `every dashboard` may be viewed, `any dashboard` may not. */
export function resourceText(
  t: TFunction,
  type: NewAccessRule['resourceType'],
  id: string,
  isAllowed: boolean,
): string {
  if (id !== ALL_RESOURCES) return t(`accessControl.one.${type}`, { id });
  return t(`accessControl.${isAllowed ? 'every' : 'any'}.${type}`);
}
