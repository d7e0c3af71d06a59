import type { Composition, DeviceGroup } from '@albedo/contract/device-groups/device-groups.schema';
import type { TFunction } from 'i18next';

/** A composition in words. */
export function compositionText(t: TFunction, composition: Composition): string {
  switch (composition.type) {
    case 'IN':
      return t('deviceGroups.text.in', { count: composition.devices.length });
    case 'NOT IN':
      return composition.devices.length === 0
        ? t('deviceGroups.text.all')
        : t('deviceGroups.text.notIn', { count: composition.devices.length });
    case 'META': {
      const { field, operator, value } = composition;
      return t(operator === '=' ? 'deviceGroups.text.is' : 'deviceGroups.text.isNot', { field, value });
    }
    case 'SRC': {
      const limited = composition.devices.filter(({ sources }) => sources !== null).length;
      return t('deviceGroups.text.src', { count: composition.devices.length, limited });
    }
  }
}

/** How many members, invitations and tokens a group limits, in words. */
export function boundText(t: TFunction, { members, invites, tokens }: DeviceGroup): string {
  const parts = [
    members > 0 ? t('deviceGroups.bound.members', { count: members }) : null,
    invites > 0 ? t('deviceGroups.bound.invites', { count: invites }) : null,
    tokens > 0 ? t('deviceGroups.bound.tokens', { count: tokens }) : null,
  ].filter((part) => part !== null);
  return parts.length > 0 ? parts.join(', ') : t('deviceGroups.bound.nobody');
}
