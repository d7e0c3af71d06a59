import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { notifyDone } from '../../app/notify.ts';
import { usePermission } from '../../app/permissions.ts';
import { useSignedIn } from '../../app/session.ts';
import { onEvent } from '../../app/socket.ts';
import { waitsFor } from './holding.ts';
import { nameText } from './holding-text.ts';
import { followSchedules } from './schedules.queries.ts';
import { useHasControl } from './use-has-control.ts';

/** Keeps schedules true by what the server tells, and says when one waits for this person. */
export function SchedulesWatch() {
  return useHasControl() ? <Watch /> : null;
}

function Watch() {
  const { t } = useTranslation();
  const { user, workgroup: wg } = useSignedIn();
  const mayDecide = usePermission('controlDevices');
  useEffect(() => followSchedules(wg), [wg]);
  useEffect(() => {
    const told = new Set<string>();
    return onEvent('deviceSchedule', (schedule) => {
      if ('isRemoved' in schedule) return;
      const isWaiting = mayDecide && waitsFor(schedule, user.email, Date.now());
      if (isWaiting && !told.has(schedule._id))
        notifyDone(
          t('schedules.told', { by: schedule.askedBy ?? schedule.author, name: nameText(t, schedule) }),
        );
      if (isWaiting) told.add(schedule._id);
      else told.delete(schedule._id);
    });
  }, [t, user.email, mayDecide]);
  return null;
}
