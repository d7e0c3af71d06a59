import { Anchor, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { boardsQuery } from '../../app/boards-query.ts';
import { LandingSelect } from '../../app/landing-select.tsx';
import { notifyDone, notifyFailure } from '../../app/notify.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useWork } from '../../app/use-submit.ts';
import { Section } from '../../ui/section.tsx';
import { ErrorState } from '../../ui/states.tsx';
import classes from './device-groups.module.css';
import { deviceGroupsQuery } from './device-groups.queries.ts';
import { useDefaultPages } from './use-default-pages.ts';

/** Where the members of each device group start; a change is saved at once. */
export function DefaultPagesSection() {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { data: groups, error, refetch } = useQuery(deviceGroupsQuery(wg));
  const { data: boards } = useQuery(boardsQuery(wg));
  const { pages, save } = useDefaultPages();
  const { isWorking, work } = useWork((failure) => notifyFailure(t('deviceGroups.pageNotSaved'), failure));
  return (
    <Section title={t('deviceGroups.defaultPages')} context={t('deviceGroups.defaultPageHelp')}>
      {error ? (
        <ErrorState title={t('deviceGroups.pagesFailed')} error={error} onRetry={() => void refetch()} />
      ) : !groups ? (
        <Skeleton height={60} />
      ) : groups.length === 0 ? (
        <p className={classes.note}>
          {t('deviceGroups.noPages')}{' '}
          <Anchor component={Link} to="/admin/workgroup/device-groups" size="sm" underline="always">
            {t('deviceGroups.title')}
          </Anchor>
        </p>
      ) : (
        <div className={classes.pages}>
          {groups.map(({ _id, name }) => (
            <LandingSelect
              key={_id}
              label={name}
              boards={boards}
              value={pages[_id] ?? ''}
              disabled={isWorking}
              onChange={(page) =>
                void work(async () => {
                  await save(_id, page);
                  notifyDone(t('deviceGroups.pageSaved', { name }));
                })
              }
            />
          ))}
        </div>
      )}
    </Section>
  );
}
