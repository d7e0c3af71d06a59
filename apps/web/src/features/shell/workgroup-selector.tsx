import { Menu } from '@mantine/core';
import { IconCheck, IconChevronDown } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { landingOf, visitorOf } from '../../app/guard.ts';
import { getSession, switchWorkgroup, useWorkgroup } from '../../app/session.ts';
import { workgroupsQuery } from '../workgroups/workgroups.queries.ts';
import classes from './shell.module.css';

/** The name of the only workgroup, or a menu of several. */
export function WorkgroupSelector() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const current = useWorkgroup();
  const { data: workgroups = [] } = useQuery(workgroupsQuery);
  const title = workgroups.find((one) => one.name === current)?.displayName ?? '';
  if (workgroups.length < 2) return <span className={classes.workgroup}>{title}</span>;

  function handleSelect(name: string) {
    switchWorkgroup(name);
    const session = getSession();
    void navigate({ to: landingOf(session && visitorOf(session)) });
  }
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <button
          type="button"
          className={classes.topButton}
          aria-label={t('shell.workgroup', { name: title })}
        >
          <span className={classes.workgroup}>{title}</span>
          <IconChevronDown size={16} aria-hidden="true" />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {workgroups.map((one) => (
          <Menu.Item
            key={one.name}
            onClick={() => handleSelect(one.name)}
            rightSection={one.name === current ? <IconCheck size={16} /> : null}
          >
            {one.displayName}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
