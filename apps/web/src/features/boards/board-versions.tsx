import { everyItem } from '@albedo/contract/boards/board-items';
import type { StoredBoard } from '@albedo/contract/boards/boards.schema';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { queryClient } from '../../app/query-client.ts';
import { useWorkgroup } from '../../app/session.ts';
import type { NameChange } from '../../app/versions/change-text.ts';
import { VersionsDialog } from '../../app/versions/versions-dialog.tsx';

/** The saves of a dashboard; what changed is told widget by widget. */
export function BoardVersions({ stored, onClose }: { stored: StoredBoard; onClose: () => void }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { _id, name, may, board } = stored;
  const nameChange = useMemo((): NameChange => {
    const titles = new Map(
      everyItem(board.items).map(({ id, title, kind }) => [id, title || t(`boards.widgets.${kind}`)]),
    );
    return ({ type, path, old, now }) => {
      const steps = path.map(String);
      const at = steps.lastIndexOf('items');
      const id = at >= 0 ? steps[at + 1] : undefined;
      const rest = (id === undefined ? steps : steps.slice(at + 2)).filter(
        (one) => one !== 'settings' && one !== 'board',
      );
      const given = (type === 'REMOVE' ? old : now) as { title?: string; kind?: string } | undefined;
      const kind = given?.kind ? t(`boards.widgets.${given.kind}`) : undefined;
      return { part: id === undefined ? null : given?.title || titles.get(id) || kind || id, rest };
    };
  }, [board, t]);
  return (
    <VersionsDialog
      kind="dashboard"
      id={_id}
      name={name}
      mayRestore={may.includes('edit')}
      nameChange={nameChange}
      onRestored={() =>
        Promise.all([
          queryClient.invalidateQueries({ queryKey: ['board', wg, _id] }),
          queryClient.invalidateQueries({ queryKey: ['boards', wg] }),
        ])
      }
      onClose={onClose}
    />
  );
}
