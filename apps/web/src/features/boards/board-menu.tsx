import type { StoredBoard } from '@albedo/contract/boards/boards.schema';
import { ActionIcon, Menu, Tooltip } from '@mantine/core';
import {
  IconDeviceTv,
  IconDots,
  IconHistory,
  IconMaximize,
  IconPencil,
  IconPrinter,
} from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePermission } from '../../app/permissions.ts';
import { printBoard } from './print/printing.ts';

const DisplaysDialog = lazy(async () => ({
  default: (await import('./displays/displays-dialog.tsx')).DisplaysDialog,
}));

const BoardVersions = lazy(async () => ({
  default: (await import('./board-versions.tsx')).BoardVersions,
}));

interface BoardMenuProps {
  stored: StoredBoard;
  entityId: string | null;
  /** Editing stands in it too. */
  hasEdit: boolean;
}

/** What can be done with a board beside looking at it. */
export function BoardMenu({ stored, entityId, hasEdit }: BoardMenuProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const canShare = usePermission('coordinate');
  const [isSharing, setSharing] = useState(false);
  const [isBack, setBack] = useState(false);
  const fill = () => {
    // Where the browser refuses, the board fills its window.
    document.documentElement.requestFullscreen?.().catch(() => {});
    void navigate({
      to: '.',
      search: ((old: object) => ({ ...old, kiosk: true })) as never,
      resetScroll: false,
    });
  };
  return (
    <>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <Tooltip label={t('boards.more')}>
            <ActionIcon variant="default" size={36} aria-label={t('boards.more')}>
              <IconDots size={18} />
            </ActionIcon>
          </Tooltip>
        </Menu.Target>
        <Menu.Dropdown>
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
          <Menu.Item leftSection={<IconHistory size={16} />} onClick={() => setBack(true)}>
            {t('history.title')}
          </Menu.Item>
          {canShare ? (
            <Menu.Item leftSection={<IconDeviceTv size={16} />} onClick={() => setSharing(true)}>
              {t('boards.display.links')}
            </Menu.Item>
          ) : null}
        </Menu.Dropdown>
      </Menu>
      {isBack ? (
        <Suspense>
          <BoardVersions stored={stored} onClose={() => setBack(false)} />
        </Suspense>
      ) : null}
      {isSharing ? (
        <Suspense>
          <DisplaysDialog stored={stored} entityId={entityId} onClose={() => setSharing(false)} />
        </Suspense>
      ) : null}
    </>
  );
}
