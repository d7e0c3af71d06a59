import type { Workgroup } from '@albedo/contract/workgroups/workgroups.schema';
import { Menu, TextInput } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './shell.module.css';
import { openWorkgroup } from './workgroup-switch.ts';

/** More workgroups than this get a filter. */
const FILTER_ABOVE = 8;

interface WorkgroupLinesProps {
  offered: readonly Pick<Workgroup, 'name' | 'displayName'>[];
  /** The workgroup on screen. */
  current: string;
}

/** The workgroups to choose from. */
export function WorkgroupLines({ offered, current }: WorkgroupLinesProps) {
  const { t } = useTranslation();
  const router = useRouter();
  const [text, setText] = useState('');
  const hasFilter = offered.length > FILTER_ABOVE;
  const filter = hasFilter ? text.trim().toLowerCase() : '';
  const shown = offered.filter(({ displayName }) => displayName.toLowerCase().includes(filter));
  const first = shown[0];
  return (
    <div className={classes.workgroups}>
      {hasFilter ? (
        <TextInput
          data-autofocus
          className={classes.filter ?? ''}
          aria-label={t('menu.filterWorkgroups')}
          placeholder={t('menu.filterWorkgroups')}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && filter && first) void openWorkgroup(router, first.name);
          }}
        />
      ) : null}
      {shown.map(({ name, displayName }) => (
        <Menu.Item
          key={name}
          onClick={() => void openWorkgroup(router, name)}
          rightSection={name === current ? <IconCheck size={16} aria-hidden="true" /> : null}
          {...(name === current ? { 'aria-current': 'true' as const } : {})}
        >
          {displayName}
        </Menu.Item>
      ))}
      {shown.length === 0 ? <Menu.Label role="status">{t('menu.noWorkgroup')}</Menu.Label> : null}
    </div>
  );
}
