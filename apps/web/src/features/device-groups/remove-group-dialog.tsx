import type { DeviceGroup } from '@albedo/contract/device-groups/device-groups.schema';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../app/confirm-dialog.tsx';
import { confirmText } from '../../app/confirm-text.ts';
import { notifyDone } from '../../app/notify.ts';
import { usePermission } from '../../app/permissions.ts';
import { useWorkgroup } from '../../app/session.ts';
import { removeGroup } from './device-groups.queries.ts';
import { useDefaultPages } from './use-default-pages.ts';

/** Asks before a group is deleted; the server refuses while members, invitations or tokens are in it. */
export function RemoveGroupDialog({
  group,
  onClose,
  onRemoved,
}: {
  group: DeviceGroup;
  onClose: () => void;
  onRemoved?: () => void;
}) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const mayCoordinate = usePermission('coordinate');
  const { pages, save } = useDefaultPages();
  return (
    <ConfirmDialog
      confirm={confirmText(t('deviceGroups.remove'), group.name)}
      onClose={onClose}
      onConfirm={async () => {
        await removeGroup(wg, group._id);
        if (mayCoordinate && pages[group._id]) await save(group._id, '');
        notifyDone(t('deviceGroups.removed', { name: group.name }));
        onRemoved?.();
      }}
    >
      {t('deviceGroups.removeText', { name: group.name })}
    </ConfirmDialog>
  );
}
