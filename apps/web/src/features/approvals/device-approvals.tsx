import type { Device } from '@albedo/contract/devices/devices.schema';
import { Text } from '@mantine/core';
import { IconUserCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNow } from '../../app/now.ts';
import { useSignedIn } from '../../app/session.ts';
import { formatDuration } from '../../ui/units/durations.ts';
import { ApprovalButtons } from './approval-buttons.tsx';
import classes from './approvals.module.css';
import { deviceApprovalsQuery } from './approvals.queries.ts';
import { isLive, wayText } from './way-text.ts';

/** Who waits to reach into this device, above its tabs; nothing where nobody does. */
export function DeviceApprovals({ device }: { device: Device }) {
  const { t } = useTranslation();
  const { user, workgroup } = useSignedIn();
  const now = useNow(1000);
  const { data = [] } = useQuery(deviceApprovalsQuery(workgroup, device.id));
  const live = data.filter((one) => isLive(one, now));
  if (live.length === 0) return null;
  return (
    <ul className={classes.live} aria-label={t('approvals.title')}>
      {live.map((one) => {
        const left = formatDuration(one.expiresAt - now);
        const whose = one.by === user.email ? 'mine' : 'theirs';
        return (
          <li key={one.id} className={classes.request}>
            <IconUserCheck size={18} aria-hidden="true" />
            <div className={classes.words}>
              <Text size="sm" fw={600}>
                {t(`approvals.${one.state === 'approved' ? 'approved' : 'waits'}.${whose}`, {
                  ...{ by: one.by, what: wayText(t, one), decidedBy: one.decidedBy, left },
                })}
              </Text>
              <Text size="sm" c="dimmed">
                {one.reason}
              </Text>
            </div>
            <ApprovalButtons approval={one} />
          </li>
        );
      })}
    </ul>
  );
}
