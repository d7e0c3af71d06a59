import { labelsOf } from '@albedo/contract/entities/labels';
import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Section } from '../../ui/section.tsx';
import classes from './workgroups.module.css';
import { useWorkgroupSettings } from './workgroups.queries.ts';

const lengthOf = (value: unknown): number => (Array.isArray(value) ? value.length : 0);

/** Lists of the settings that have a screen of their own. */
export function ListsSection() {
  const { t } = useTranslation();
  const settings = useWorkgroupSettings();
  const lists = [
    { key: 'deviceFields', count: lengthOf(settings.deviceInfoKeys), to: '/admin/workgroup/metadata' },
    { key: 'sourceFields', count: lengthOf(settings.sourceInfoKeys), to: '/admin/workgroup/metadata' },
    { key: 'labels', count: labelsOf(settings).length, to: '/admin/workgroup/labelling' },
  ] as const;
  return (
    <Section title={t('workgroup.lists.title')}>
      <ul className={classes.lists}>
        {lists.map(({ key, count, to }) => (
          <li key={key}>
            <Anchor component={Link} to={to} size="sm">
              {t(`workgroup.lists.${key}`)}
            </Anchor>
            <span className={classes.note}>{count === 0 ? t('workgroup.lists.none') : count}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
