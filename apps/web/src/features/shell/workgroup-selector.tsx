import { IconChevronDown } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { LaterMenu } from '../../app/later-menu.tsx';
import { useWorkgroup } from '../../app/session.ts';
import { workgroupsQuery } from '../workgroups/workgroups.queries.ts';
import classes from './shell.module.css';

const loadLines = async () => (await import('./workgroup-lines.tsx')).WorkgroupLines;

/** The name of the only workgroup, or a menu of several; `hidden` ones are left out, unless one is looked at. */
export function WorkgroupSelector({ hidden }: { hidden: readonly string[] }) {
  const { t } = useTranslation();
  const current = useWorkgroup();
  const { data: workgroups = [] } = useQuery(workgroupsQuery);
  const title = workgroups.find((one) => one.name === current)?.displayName ?? '';
  const offered = workgroups.filter(({ name }) => name === current || !hidden.includes(name));
  if (offered.length < 2) return <span className={classes.workgroup}>{title}</span>;
  return (
    <LaterMenu position="bottom-start" loop load={loadLines} of={{ offered, current }}>
      <button type="button" className={classes.topButton} aria-label={t('shell.workgroup', { name: title })}>
        <span className={classes.workgroup}>{title}</span>
        <IconChevronDown size={16} aria-hidden="true" />
      </button>
    </LaterMenu>
  );
}
