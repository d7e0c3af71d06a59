import type { BoardItem } from '@albedo/contract/boards/board-items';
import { boardsApi } from '@albedo/contract/boards/boards.api';
import { settingsOf } from '@albedo/contract/boards/boards.schema';
import type { LibraryWidget } from '@albedo/contract/boards/widget-library.schema';
import { ActionIcon, Alert, Button, Drawer, Group, Tooltip } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconArrowBackUp, IconArrowForwardUp, IconSettings } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError, call } from '../../../app/call.ts';
import type { KnownWorld } from '../../../app/entity-world-query.ts';
import { notifyDone } from '../../../app/notify.ts';
import { useAttempt } from '../../../app/use-submit.ts';
import { Page } from '../../../ui/page.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { browserZone } from '../../../ui/time-range/time-zone.ts';
import { formatInstant } from '../../../ui/time-range/zoned-time.ts';
import { useIsNarrow } from '../../../ui/use-is-narrow.ts';
import { BoardStage } from '../board-stage.tsx';
import { type BoardDraft, draftOf, saveBoard } from '../boards.queries.ts';
import { EntityPicker } from '../entity-picker.tsx';
import { entitiesOf } from '../shown-entities.ts';
import { useBoardTime } from '../use-board-time.ts';
import { widgetOf } from '../widgets/widgets.ts';
import { AddMenu } from './add-menu.tsx';
import { BoardForm } from './board-form.tsx';
import { newId, pastedItem } from './clipboard.ts';
import { ConflictDialog } from './conflict-dialog.tsx';
import classes from './editor.module.css';
import { EditorGrid } from './editor-grid.tsx';
import { compacted, spaceFor } from './grid-moves.ts';
import { itemsAt, readItemsAt } from './item-tree.ts';
import { forgetDraft } from './kept-draft.ts';
import { LibraryDialog } from './library/library-dialog.tsx';
import { spreadShared } from './library/shared-changes.ts';
import { useLibraryOf } from './library/use-library-of.ts';
import { findItem, useEditor } from './use-editor.ts';
import { WidgetForm } from './widget-form.tsx';

interface EditorScreenProps {
  wg: string;
  /** Null for a new board. */
  id: string | null;
  /** What its draft is kept under. */
  draftName: string;
  loaded: BoardDraft;
  version: number | undefined;
  world: KnownWorld;
}

export function EditorScreen({ wg, id, draftName, loaded, version, world }: EditorScreenProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const client = useQueryClient();
  const isNarrow = useIsNarrow();
  const editor = useEditor(wg, draftName, loaded, version);
  const { draft, change } = editor;
  const [chosen, setChosen] = useState<string | null>(null);
  const [panel, setPanel] = useState<'board' | 'widget' | null>(draft.typeId === '' ? 'board' : null);
  const [path, setPath] = useState<readonly string[]>([]);
  const [conflict, setConflict] = useState<{ theirs: BoardDraft; version: number; by: string } | null>(null);
  const [isInLibrary, setInLibrary] = useState(false);
  const library = useLibraryOf(wg);
  const [time, setTime] = useBoardTime(draft.board);
  const items = readItemsAt(draft.board.items, path);
  const item = findItem(draft.board.items, chosen);
  const aside = useRef<HTMLElement>(null);
  const [opened, setOpened] = useState(0);
  const openForm = (one: string) => {
    setChosen(one);
    setPanel('widget');
    setOpened((count) => count + 1);
  };
  useEffect(() => {
    if (opened === 0) return;
    const title = aside.current?.querySelector<HTMLInputElement>('input');
    title?.focus();
    // A new widget is called as its kind; whoever types calls it something else.
    title?.select();
  }, [opened]);

  const add = (one: BoardItem) => {
    change((board) => {
      const inside = itemsAt(board.board.items as BoardItem[], path);
      inside.push({ ...one, place: spaceFor(inside, one.place ?? { w: 8, h: 6 }) });
    });
    openForm(one.id);
  };
  const addKind = (kind: string) => {
    const widget = widgetOf(kind);
    if (!widget) return;
    add({
      id: newId(),
      kind,
      place: { x: 0, y: 0, ...widget.size },
      settings: structuredClone(widget.initial),
    });
  };
  const paste = () => {
    const one = pastedItem();
    if (one) add(one);
  };
  const adding = { onAdd: addKind, onPaste: paste, onLibrary: () => setInLibrary(true) };
  const addShared = ({ _id, item: shared }: LibraryWidget) => {
    const place = { x: 0, y: 0, ...(widgetOf(shared.kind)?.size ?? { w: 8, h: 6 }) };
    add({ id: newId(), ...shared, place, library: _id });
    setInLibrary(false);
  };
  const remove = (gone: string) => {
    change((board) => {
      const inside = itemsAt(board.board.items as BoardItem[], path);
      const kept = inside.filter((one) => one.id !== gone);
      inside.splice(0, inside.length, ...compacted(kept));
    });
    if (chosen === gone) {
      setChosen(null);
      setPanel(null);
    }
  };

  const saving = useAttempt();
  const maySave = (editor.isChanged || id === null) && conflict === null;
  useFocusBack(saving.isWorking);
  const save = () =>
    saving.attempt(async () => {
      try {
        await library.save(editor.base.board.items, draft.board.items);
        const saved = await saveBoard(wg, id === null ? null : { id, version: editor.version }, draft);
        editor.rebase(draftOf(saved), saved.version, draftOf(saved));
        forgetDraft(wg, draftName);
        notifyDone(t('boards.saved', { name: saved.name }));
        await navigate({ to: '/entities/dash3/$board', params: { board: saved._id } });
      } catch (error) {
        if (!(error instanceof ApiError) || error.error !== 'board.changed' || id === null) throw error;
        const newest = await call(boardsApi.get, { params: { wg, board: id } });
        client.setQueryData(['board', wg, id], newest as never);
        setConflict({ theirs: draftOf(newest as never), version: newest.version, by: newest.updatedBy });
      }
    });

  useHotkeys(
    [
      ['mod+Z', editor.undo],
      ['mod+shift+Z', editor.redo],
      ['mod+Y', editor.redo],
      ['mod+V', paste],
    ],
    ['INPUT', 'TEXTAREA', 'SELECT'],
  );
  // Also while one types: the browser would save its own page.
  useHotkeys([['mod+S', () => void (maySave && !saving.isWorking && save())]], [], true);

  const [tried, setTried] = useState<string | null>(null);
  const subjects = entitiesOf(draft, world);
  // A label that no entity has yet is tried with any entity.
  const shown = subjects.find(({ _id }) => _id === tried) ?? subjects[0] ?? world.entities[0];
  const shownEntity = draft.type === 'entity' ? draft.typeId : (shown?._id ?? '');
  const form =
    panel === 'widget' && item ? (
      <WidgetForm
        key={item.id}
        item={item}
        world={world}
        variables={draft.board.variables ?? NONE}
        onChange={(recipe, kind) =>
          change((board) => {
            const one = findItem(board.board.items as BoardItem[], item.id);
            if (!one) return;
            recipe(one);
            spreadShared(board.board.items as BoardItem[], one);
          }, `${item.id} ${kind}`)
        }
      />
    ) : panel === 'board' ? (
      <BoardForm draft={draft} world={world} onChange={change} />
    ) : null;
  const panelTitle =
    panel === 'widget' && item ? item.title || t(`boards.widgets.${item.kind}`) : t('boards.settings');
  const close = () => setPanel(null);
  /** Escape leads back to the widget that the form is about. */
  const handleKey = (event: KeyboardEvent) => {
    const isOfField = (event.target as HTMLElement).getAttribute('aria-expanded') === 'true';
    if (event.key !== 'Escape' || event.defaultPrevented || isOfField) return;
    close();
    document.querySelector<HTMLElement>('[role=group][data-chosen=true]')?.focus();
  };
  return (
    <Page
      title={draft.name || t('boards.newBoard')}
      context={
        <>
          {t(id !== null && editor.isChanged ? 'boards.unsaved' : 'boards.editing')}
          {draft.type === 'label' && subjects.length > 1 ? (
            <EntityPicker choices={subjects} world={world} value={shownEntity} onChange={setTried} />
          ) : null}
        </>
      }
      actions={
        <Group gap={6}>
          <Tooltip label={t('boards.undo')}>
            <ActionIcon
              variant="default"
              size={36}
              disabled={!editor.canUndo}
              onClick={editor.undo}
              aria-label={t('boards.undo')}
            >
              <IconArrowBackUp size={18} />
            </ActionIcon>
          </Tooltip>
          <Tooltip label={t('boards.redo')}>
            <ActionIcon
              variant="default"
              size={36}
              disabled={!editor.canRedo}
              onClick={editor.redo}
              aria-label={t('boards.redo')}
            >
              <IconArrowForwardUp size={18} />
            </ActionIcon>
          </Tooltip>
          <Tooltip label={t('boards.settings')}>
            <ActionIcon
              variant="default"
              size={36}
              onClick={() => setPanel(panel === 'board' ? null : 'board')}
              aria-label={t('boards.settings')}
            >
              <IconSettings size={18} />
            </ActionIcon>
          </Tooltip>
          <AddMenu {...adding} />
          <Button
            component={Link}
            variant="default"
            to={id === null ? '/admin/entities/dashboards' : `/entities/dash3/${id}`}
          >
            {t('boards.leave')}
          </Button>
          <Button onClick={() => void save()} loading={saving.isWorking} disabled={!maySave}>
            {t('actions.save')}
          </Button>
        </Group>
      }
    >
      {editor.foundAt !== null ? (
        <Alert color="gray" variant="light" mb="sm" title={t('boards.draftFound')}>
          <Group gap="sm">
            {t('boards.draftFoundText', { at: formatInstant(editor.foundAt, browserZone()) })}
            <Button size="compact-sm" variant="default" onClick={editor.discard}>
              {t('boards.discardDraft')}
            </Button>
          </Group>
        </Alert>
      ) : null}
      {saving.failure ? (
        <Alert color="red" variant="light" mb="sm" role="alert">
          {saving.failure}
        </Alert>
      ) : null}
      {path.length > 0 ? (
        <nav className={classes.path} aria-label={t('boards.inside')}>
          <Button size="compact-sm" variant="subtle" onClick={() => setPath([])}>
            {draft.name || t('boards.newBoard')}
          </Button>
          {path.map((step, at) => (
            <Button
              key={step}
              size="compact-sm"
              variant="subtle"
              onClick={() => setPath(path.slice(0, at + 1))}
            >
              {findItem(draft.board.items, step)?.title || t('boards.widgets.group')}
            </Button>
          ))}
        </nav>
      ) : null}
      {/* Until the board is there the editor stays: what one began in it meanwhile would be lost. */}
      <div className={classes.editor} inert={saving.isWorking}>
        <div className={classes.stage}>
          {items.length === 0 ? (
            <EmptyState title={t('boards.emptyBoard')} text={t('boards.emptyEditorText')}>
              <AddMenu {...adding} />
            </EmptyState>
          ) : (
            <BoardStage
              wg={wg}
              world={world}
              entityId={shownEntity}
              time={time}
              onTime={setTime}
              isEditing
              settingsOf={settingsOf}
              onEntity={NOTHING}
              variables={draft.board.variables}
            >
              <EditorGrid
                items={items}
                chosen={chosen}
                onChoose={setChosen}
                onOpen={openForm}
                onEnter={(one) => {
                  setPath([...path, one]);
                  setChosen(null);
                  setPanel(null);
                }}
                onPlaces={(places, kind) =>
                  change((board) => {
                    for (const one of itemsAt(board.board.items as BoardItem[], path)) {
                      const place = places.get(one.id);
                      if (place) one.place = place;
                    }
                  }, kind)
                }
                onAdd={add}
                onRemove={remove}
              />
            </BoardStage>
          )}
        </div>
        {form && !isNarrow ? (
          <aside ref={aside} className={classes.panel} aria-label={panelTitle} onKeyDown={handleKey}>
            <header>
              <h2>{panelTitle}</h2>
              <Button size="compact-sm" variant="subtle" onClick={close}>
                {t('actions.close')}
              </Button>
            </header>
            {form}
          </aside>
        ) : null}
        {isNarrow ? (
          <Drawer opened={form !== null} onClose={close} title={panelTitle} position="bottom" size="70%">
            {form}
          </Drawer>
        ) : null}
      </div>
      {isInLibrary ? <LibraryDialog onAdd={addShared} onClose={() => setInLibrary(false)} /> : null}
      {conflict ? (
        <ConflictDialog
          base={editor.base}
          yours={draft}
          theirs={conflict.theirs}
          by={conflict.by}
          onTake={(next) => {
            editor.rebase(conflict.theirs, conflict.version, next);
            setConflict(null);
          }}
          onClose={() => setConflict(null)}
        />
      ) : null}
    </Page>
  );
}

/** Gives the focus back to the field that had it before its form was closed to it for a while. */
function useFocusBack(isClosed: boolean): void {
  useLayoutEffect(() => {
    if (!isClosed) return;
    const field = document.activeElement;
    return () => {
      const isLost = document.activeElement === null || document.activeElement === document.body;
      if (isLost && field instanceof HTMLElement && field.isConnected) field.focus({ preventScroll: true });
    };
  }, [isClosed]);
}

const NOTHING = () => {};
const NONE: readonly [] = [];
