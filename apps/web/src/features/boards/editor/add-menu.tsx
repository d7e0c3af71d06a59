import { Button, Menu } from '@mantine/core';
import { IconBooks, IconClipboard, IconPlus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { visitorOf } from '../../../app/guard.ts';
import { useSignedIn } from '../../../app/session.ts';
import { widgets } from '../widgets/widgets.ts';
import classes from './editor.module.css';

const GROUPS = ['figures', 'time', 'entities', 'energy', 'content'] as const;

interface AddMenuProps {
  onAdd: (kind: string) => void;
  onPaste: () => void;
  onLibrary: () => void;
}

/** What can stand on a board; what the workgroup has no addon for is not offered. */
export function AddMenu({ onAdd, onPaste, onLibrary }: AddMenuProps) {
  const { t } = useTranslation();
  const addons = visitorOf(useSignedIn())?.addons ?? [];
  return (
    <Menu position="bottom-end" width={260}>
      <Menu.Target>
        <Button variant="default" leftSection={<IconPlus size={16} />}>
          {t('boards.add')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown className={classes.addMenu}>
        {GROUPS.map((group) => (
          <div key={group}>
            <Menu.Label>{t(`boards.groups.${group}`)}</Menu.Label>
            {widgets
              .filter((one) => one.group === group && (!one.addon || addons.includes(one.addon)))
              .map(({ kind, Icon }) => (
                <Menu.Item
                  key={kind}
                  leftSection={<Icon size={16} stroke={1.6} />}
                  onClick={() => onAdd(kind)}
                >
                  {t(`boards.widgets.${kind}`)}
                </Menu.Item>
              ))}
          </div>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<IconBooks size={16} />} onClick={onLibrary}>
          {t('boards.library.fromLibrary')}
        </Menu.Item>
        <Menu.Item leftSection={<IconClipboard size={16} />} onClick={onPaste}>
          {t('boards.paste')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
