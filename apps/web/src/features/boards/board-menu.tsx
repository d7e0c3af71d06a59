import type { StoredBoard } from '@albedo/contract/boards/boards.schema';
import { ActionIcon } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LaterMenu } from '../../app/later-menu.tsx';
import { Hint } from '../../ui/hint.tsx';

const loadLines = async () => (await import('./board-menu-lines.tsx')).BoardMenuLines;

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
  const [isSharing, setSharing] = useState(false);
  const [isBack, setBack] = useState(false);
  return (
    <>
      <LaterMenu
        position="bottom-end"
        load={loadLines}
        of={{ stored, hasEdit, onBack: () => setBack(true), onShare: () => setSharing(true) }}
      >
        <Hint label={t('boards.more')}>
          <ActionIcon variant="default" size={36} aria-label={t('boards.more')}>
            <IconDots size={18} />
          </ActionIcon>
        </Hint>
      </LaterMenu>
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
