import { Menu, TextInput } from '@mantine/core';
import { IconCheck, IconChevronDown } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useWorkgroup } from '../../app/session.ts';
import { workgroupsQuery } from '../workgroups/workgroups.queries.ts';
import classes from './shell.module.css';
import { openWorkgroup } from './workgroup-switch.ts';

/** With more workgroups than this a filter is offered. */
const FILTER_ABOVE = 8;

/** The name of the only workgroup, or a menu of several; `hidden` ones are left out, unless one is looked at. */
export function WorkgroupSelector({ hidden }: { hidden: readonly string[] }) {
  const { t } = useTranslation();
  const router = useRouter();
  const current = useWorkgroup();
  const [text, setText] = useState('');
  const { data: workgroups = [] } = useQuery(workgroupsQuery);
  const title = workgroups.find((one) => one.name === current)?.displayName ?? '';
  const offered = workgroups.filter(({ name }) => name === current || !hidden.includes(name));
  if (offered.length < 2) return <span className={classes.workgroup}>{title}</span>;

  const hasFilter = offered.length > FILTER_ABOVE;
  const wanted = hasFilter ? text.trim().toLowerCase() : '';
  const shown = offered.filter(({ displayName }) => displayName.toLowerCase().includes(wanted));
  const first = shown[0];
  return (
    <Menu position="bottom-start" onClose={() => setText('')} loop>
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
      <Menu.Dropdown className={classes.workgroups}>
        {hasFilter ? (
          <TextInput
            data-autofocus
            className={classes.filter ?? ''}
            aria-label={t('menu.filterWorkgroups')}
            placeholder={t('menu.filterWorkgroups')}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && wanted && first) void openWorkgroup(router, first.name);
            }}
          />
        ) : null}
        {shown.map((one) => (
          <Menu.Item
            key={one.name}
            onClick={() => void openWorkgroup(router, one.name)}
            rightSection={one.name === current ? <IconCheck size={16} aria-hidden="true" /> : null}
            {...(one.name === current ? { 'aria-current': 'true' as const } : {})}
          >
            {one.displayName}
          </Menu.Item>
        ))}
        {shown.length === 0 ? <Menu.Label role="status">{t('menu.noWorkgroup')}</Menu.Label> : null}
      </Menu.Dropdown>
    </Menu>
  );
}
