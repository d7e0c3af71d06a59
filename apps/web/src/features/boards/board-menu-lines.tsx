import type { StoredBoard } from '@albedo/contract/boards/boards.schema';
import { Menu } from '@mantine/core';
import { IconDeviceTv, IconHistory, IconMaximize, IconPencil, IconPrinter } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { usePermission } from '../../app/permissions.ts';
import { printBoard } from './print/printing.ts';

interface BoardMenuLinesProps {
  stored: StoredBoard;
  hasEdit: boolean;
  onBack: () => void;
  onShare: () => void;
}

/** The lines of the menu of a board. */
export function BoardMenuLines({ stored, hasEdit, onBack, onShare }: BoardMenuLinesProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const canShare = usePermission('coordinate');
  const fill = () => {
    // If the browser refuses full screen, the board fills its window.
    document.documentElement.requestFullscreen?.().catch(() => {});
    void navigate({
      to: '.',
      search: ((old: object) => ({ ...old, kiosk: true })) as never,
      resetScroll: false,
    });
  };
  return (
    <>
      {hasEdit && stored.may.includes('edit') ? (
        <Menu.Item
          component={Link}
          to={`/entities/dash3-edit/${stored._id}` as never}
          leftSection={<IconPencil size={16} />}
        >
          {t('boards.edit')}
        </Menu.Item>
      ) : null}
      <Menu.Item leftSection={<IconMaximize size={16} />} onClick={fill}>
        {t('boards.display.fullScreen')}
      </Menu.Item>
      <Menu.Item leftSection={<IconPrinter size={16} />} onClick={printBoard}>
        {t('boards.print')}
      </Menu.Item>
      <Menu.Item leftSection={<IconHistory size={16} />} onClick={onBack}>
        {t('history.title')}
      </Menu.Item>
      {canShare ? (
        <Menu.Item leftSection={<IconDeviceTv size={16} />} onClick={onShare}>
          {t('boards.display.links')}
        </Menu.Item>
      ) : null}
    </>
  );
}
