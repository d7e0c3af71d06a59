import type { Commissioning } from '@albedo/contract/commissioning/commissioning.schema';
import type { Device } from '@albedo/contract/devices/devices.schema';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { boardsQuery } from '../../app/boards-query.ts';
import { useWorkgroup } from '../../app/session.ts';
import { Section } from '../../ui/section.tsx';
import classes from './commissioning.module.css';

/** The plant is on the screen: where to see it, and what comes next. */
export function DoneStep({ setup, device }: { setup: Commissioning; device: Device }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { data: board } = useQuery({
    ...boardsQuery(wg),
    select: (boards) => boards.find(({ type, typeId }) => type === 'label' && typeId === 'site'),
  });
  return (
    <Section title={t('commissioning.done.title', { name: setup.plan.plantName || device.name })}>
      <div className={classes.form}>
        <p className={classes.lead}>{t('commissioning.done.text')}</p>
        <div className={classes.buttons} data-is-start>
          {board && setup.entity ? (
            <Button
              component={Link}
              to="/entities/dash3/$board/$entity"
              params={{ board: board._id, entity: setup.entity } as never}
            >
              {t('commissioning.done.board')}
            </Button>
          ) : null}
          <Button
            variant="default"
            component={Link}
            to="/devices/$deviceId/$tab"
            params={{ deviceId: device.id, tab: 'general' } as never}
          >
            {t('commissioning.done.device')}
          </Button>
          <Button variant="default" component={Link} to="/commissioning">
            {t('commissioning.done.another')}
          </Button>
        </div>
      </div>
    </Section>
  );
}
