import type { BoardItem } from '@albedo/contract/boards/board-items';
import type { SettingsOf } from '@albedo/contract/boards/widgets/widgets';
import type { Entity } from '@albedo/contract/entities/entities.schema';
import { Tabs } from '@mantine/core';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BoardRoom, useBoard } from '../../board-context.ts';
import { BoardGrid } from '../../board-grid.tsx';
import type { WidgetProps } from '../../widget.ts';
import { WidgetNote } from '../../widget-error.tsx';
import { useRows } from '../rows.ts';
import classes from './group.module.css';

/** Widgets that belong together: below one title, in tabs, or once for each of several entities. */
export function GroupView({ item, settings, width }: WidgetProps<SettingsOf<'group'>>) {
  const { t } = useTranslation();
  const { look, repeat, across } = settings;
  const items = item.items ?? [];
  const title = item.title ? <h2 className={classes.title}>{item.title}</h2> : null;
  if (items.length === 0) return <WidgetNote text={t('boards.emptyGroup')} />;
  return (
    <div className={classes.group} data-look={look} data-grows>
      {title}
      {repeat === 'none' ? (
        <Inside look={look} items={items} />
      ) : (
        <Copies of={repeat} label={settings.label} across={width < 560 ? 1 : across}>
          <Inside look={look} items={items} />
        </Copies>
      )}
    </div>
  );
}

function Inside({ look, items }: { look: string; items: readonly BoardItem[] }) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<string | null>(items[0]?.id ?? null);
  if (look !== 'tabs') return <BoardGrid items={items} />;
  const shown = items.find(({ id }) => id === chosen) ?? items[0];
  return (
    <Tabs value={shown?.id ?? null} onChange={setChosen} className={classes.tabs} keepMounted={false}>
      <Tabs.List>
        {items.map(({ id, title, kind }) => (
          <Tabs.Tab key={id} value={id}>
            {title || t(`boards.widgets.${kind}`)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {shown ? (
        <Tabs.Panel value={shown.id} pt="xs">
          <BoardGrid items={[{ ...shown, place: { x: 0, y: 0, w: 24, h: shown.place?.h ?? 8 } }]} />
        </Tabs.Panel>
      ) : null}
    </Tabs>
  );
}

function Copies(props: {
  of: 'children' | 'descendants' | 'label';
  label: string | undefined;
  across: number;
  children: ReactNode;
}) {
  const { t } = useTranslation();
  const rows = useRows(props.of, props.label);
  if (rows.length === 0) return <WidgetNote text={t('boards.noRows')} />;
  return (
    <div
      className={classes.copies}
      style={{ gridTemplateColumns: `repeat(${props.across}, minmax(0, 1fr))` }}
    >
      {rows.map((entity) => (
        <OneCopy key={entity._id} entity={entity}>
          {props.children}
        </OneCopy>
      ))}
    </div>
  );
}

/** What stands inside sees this entity as the one of the board. */
function OneCopy({ entity, children }: { entity: Entity; children: ReactNode }) {
  const board = useBoard();
  const inside = useMemo(() => ({ ...board, entityId: entity._id }), [board, entity._id]);
  return (
    <section aria-label={entity.name} className={classes.copy} data-grows>
      <button type="button" className={classes.copyName} onClick={() => board.openEntity(entity._id)}>
        {entity.name}
      </button>
      <BoardRoom value={inside}>{children}</BoardRoom>
    </section>
  );
}
