import { Button, Drawer, Menu, TextInput } from '@mantine/core';
import {
  IconArrowBackUp,
  IconArrowsMove,
  IconChecks,
  IconDots,
  IconDownload,
  IconPlus,
  IconSearch,
  IconTrash,
  IconUpload,
  IconWand,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notifyDone } from '../../app/notify.ts';
import { useIsUnbound, usePermission } from '../../app/permissions.ts';
import { useAttempt } from '../../app/use-submit.ts';
import { saveFile } from '../../ui/data-table/csv.ts';
import { Failure } from '../../ui/failure.tsx';
import { PageAction } from '../../ui/page.tsx';
import { EmptyState, ErrorState, TableSkeleton } from '../../ui/states.tsx';
import { formatWhole } from '../../ui/units/numbers.ts';
import { useIsNarrow } from '../../ui/use-is-narrow.ts';
import { CsvDialog } from './csv-dialog.tsx';
import { csvOf } from './csv-plan.ts';
import { DeletionsDialog } from './deletions-dialog.tsx';
import classes from './entities.module.css';
import { EntityDialog } from './entity-dialog.tsx';
import { EntityPanel } from './entity-panel.tsx';
import { EntityTree } from './entity-tree.tsx';
import { LabelsDialog } from './labels-dialog.tsx';
import { MoveDialog } from './move-dialog.tsx';
import { useEntityPage } from './use-entity-page.ts';
import { WizardDialog } from './wizard-dialog.tsx';

type Open = 'empty' | 'wizard' | 'labels' | 'move' | 'csv' | 'deletions' | null;

/** The tree of entities and what can be done with it, a tab of Admin > Entities. */
export function EntitiesPage() {
  const { t } = useTranslation();
  const page = useEntityPage();
  const mayChange = useIsUnbound();
  const mayUndo = usePermission('coordinate');
  const isNarrow = useIsNarrow();
  const [open, setOpen] = useState<Open>(null);
  const [isPanelOpen, setPanelOpen] = useState(false);
  const { attempt, isWorking, failure, forget } = useAttempt();
  const { entities, error, index, rows, mode, active, chosen, unsaved } = page;
  const close = () => setOpen(null);

  if (error)
    return <ErrorState title={t('entities.failed')} error={error} onRetry={() => void page.refetch()} />;
  if (!entities) return <TableSkeleton />;

  const chosenEntities = [...chosen].flatMap((id) => index.byId.get(id) ?? []);
  const add = (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button leftSection={<IconPlus size={16} />}>{t('entities.add')}</Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconPlus size={16} />} onClick={() => setOpen('empty')}>
          {t('entities.addEmpty')}
        </Menu.Item>
        <Menu.Item leftSection={<IconWand size={16} />} onClick={() => setOpen('wizard')}>
          {t('entities.addWizard')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
  const more = (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<IconDots size={16} />}>
          {t('entities.more')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconArrowsMove size={16} />}
          disabled={entities.length === 0}
          onClick={() => page.go({ mode: 'reorganise' })}
        >
          {t('entities.reorganise')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconChecks size={16} />}
          disabled={entities.length === 0}
          onClick={() => page.go({ mode: 'bulk' })}
        >
          {t('entities.bulk')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconDownload size={16} />}
          disabled={entities.length === 0}
          onClick={() => saveFile('entities.csv', csvOf(entities))}
        >
          {t('entities.csvOut')}
        </Menu.Item>
        <Menu.Item leftSection={<IconUpload size={16} />} onClick={() => setOpen('csv')}>
          {t('entities.csvIn')}
        </Menu.Item>
        <Menu.Divider />
        {mayUndo ? (
          <Menu.Item component={Link} to="/admin/workgroup/code" leftSection={<IconArrowBackUp size={16} />}>
            {t('entities.undoSeveral')}
          </Menu.Item>
        ) : null}
        <Menu.Item leftSection={<IconTrash size={16} />} onClick={() => setOpen('deletions')}>
          {t('entities.deletions')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
  const panel = active ? (
    <EntityPanel
      entity={active}
      index={index}
      isLookedAt={mode === 'look'}
      onGone={() => page.go({ entity: '' })}
    />
  ) : (
    <p className={classes.note}>{t('entities.chooseOne')}</p>
  );

  return (
    <>
      {mode === 'look' && mayChange ? (
        <PageAction>
          {more}
          {add}
        </PageAction>
      ) : null}
      {entities.length === 0 ? (
        <EmptyState title={t('entities.none')} text={t('entities.noneText')}>
          {mayChange ? add : null}
        </EmptyState>
      ) : (
        <div className={classes.page}>
          <div className={classes.main}>
            <div className={classes.tools}>
              <TextInput
                className={classes.search ?? ''}
                aria-label={t('entities.search')}
                placeholder={t('entities.search')}
                leftSection={<IconSearch size={16} />}
                value={page.q}
                onChange={(event) => page.type(event.currentTarget.value)}
              />
              <span className={classes.count} aria-live="polite">
                {page.wanted === ''
                  ? t('entities.count', { count: entities.length, number: formatWhole(entities.length) })
                  : t('entities.found', {
                      number: formatWhole(rows.filter(({ isMatch }) => isMatch).length),
                      all: formatWhole(entities.length),
                    })}
              </span>
            </div>
            {mode === 'look' ? null : (
              <div className={classes.draft}>
                <span className={classes.draftText}>
                  {t(mode === 'bulk' ? 'entities.bulkHow' : 'entities.reorganiseHow')}{' '}
                  {chosen.size > 0 ? t('entities.chosen', { count: chosen.size }) : ''}{' '}
                  {unsaved.size > 0 ? t('entities.unsaved', { count: unsaved.size }) : ''}
                </span>
                <Button
                  variant="default"
                  size="xs"
                  disabled={chosen.size === 0}
                  onClick={() => setOpen('move')}
                >
                  {t('entities.moveSelected')}
                </Button>
                {mode === 'bulk' ? (
                  <Button
                    variant="default"
                    size="xs"
                    disabled={chosen.size === 0}
                    onClick={() => setOpen('labels')}
                  >
                    {t('entities.editLabels')}
                  </Button>
                ) : null}
                <Button
                  variant="default"
                  size="xs"
                  onClick={() => {
                    forget();
                    page.leave();
                  }}
                >
                  {t('entities.discard')}
                </Button>
                <Button
                  size="xs"
                  loading={isWorking}
                  disabled={unsaved.size === 0}
                  onClick={() =>
                    void attempt(async () => {
                      const count = unsaved.size;
                      await page.save();
                      notifyDone(t('entities.saved', { count }));
                    })
                  }
                >
                  {t('actions.save')}
                </Button>
                {failure ? (
                  <div className={classes.wide}>
                    <Failure text={failure} />
                  </div>
                ) : null}
              </div>
            )}
            {rows.length === 0 ? (
              <EmptyState title={t('entities.nothingFound')} />
            ) : (
              <EntityTree
                rows={rows}
                mode={mode}
                active={active?._id ?? null}
                chosen={chosen}
                unsaved={unsaved}
                wanted={page.wanted}
                onActive={(id, isKey) => {
                  page.go({ entity: id });
                  if (!isKey && mode === 'look') setPanelOpen(true);
                }}
                onChoose={page.setChosen}
                onTurn={page.turn}
                canDrop={page.canMove}
                onDrop={page.move}
              />
            )}
          </div>
          {isNarrow ? null : <aside className={classes.panel}>{panel}</aside>}
        </div>
      )}
      {isNarrow && active ? (
        <Drawer
          opened={isPanelOpen}
          position="bottom"
          size="85%"
          title={active.name}
          onClose={() => setPanelOpen(false)}
          closeButtonProps={{ 'aria-label': t('actions.close') }}
        >
          {panel}
        </Drawer>
      ) : null}
      {open === 'empty' ? (
        <EntityDialog
          entity={null}
          parent={active}
          onClose={close}
          onSaved={({ _id }) => page.go({ entity: _id })}
        />
      ) : null}
      {open === 'wizard' ? <WizardDialog parent={active} entities={entities} onClose={close} /> : null}
      {open === 'labels' ? (
        <LabelsDialog entities={chosenEntities} onSet={page.label} onClose={close} />
      ) : null}
      {open === 'move' ? (
        <MoveDialog
          index={index}
          entities={entities}
          ids={[...chosen]}
          onSet={(to) => page.move([...chosen], to)}
          onClose={close}
        />
      ) : null}
      {open === 'csv' ? <CsvDialog entities={entities} onClose={close} /> : null}
      {open === 'deletions' ? <DeletionsDialog onClose={close} /> : null}
    </>
  );
}
