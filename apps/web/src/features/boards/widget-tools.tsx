import { ActionIcon, Menu } from '@mantine/core';
import { IconDots, IconFileTypeCsv, IconPhoto, IconRoute, IconTable } from '@tabler/icons-react';
import { lazy, type RefObject, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { askCsv } from '../../ui/csv/csv-ask.ts';
import { fileName, saveFile } from '../../ui/time-series-chart/chart-export.ts';
import { useBoard } from './board-context.ts';
import classes from './boards.module.css';
import type { Origin } from './origins.ts';
import { tableOf } from './widget-csv.ts';
import type { WidgetData } from './widget-data.ts';
import { OriginDialog } from './widgets/number/origin.tsx';

const WidgetTable = lazy(async () => ({ default: (await import('./widget-table.tsx')).WidgetTable }));

interface WidgetToolsProps {
  title: string;
  data: RefObject<WidgetData | null>;
  /** Where its numbers come from; the widget fills it in. */
  origins: ReadonlySet<Origin>;
  card: HTMLElement | null;
}

/** The menu of a widget: what it shows as a table, as a file, as a picture. */
export function WidgetTools({ title, data, origins, card }: WidgetToolsProps) {
  const { t } = useTranslation();
  const { zone } = useBoard();
  const [has, setHas] = useState(false);
  const [table, setTable] = useState<WidgetData | null>(null);
  const [asked, setAsked] = useState<readonly Origin[] | null>(null);
  const saveCsv = () => {
    const shown = data.current;
    if (shown) askCsv({ title, zone, table: () => tableOf(shown) });
  };
  const savePicture = async () => {
    const body = card?.querySelector<HTMLElement>(`.${classes.widgetBody}`);
    if (!body) return;
    const { elementToPicture } = await import('../../ui/element-to-picture.ts');
    const picture = await elementToPicture(body, title);
    if (picture) saveFile(picture, fileName(title, 'png'));
  };
  return (
    <>
      <Menu position="bottom-end" withinPortal onOpen={() => setHas(data.current !== null)}>
        <Menu.Target>
          <ActionIcon
            className={classes.widgetMenu}
            variant="subtle"
            color="gray"
            size="sm"
            aria-label={t('boards.menuOf', { title })}
          >
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {has ? (
            <>
              <Menu.Item leftSection={<IconTable size={16} />} onClick={() => setTable(data.current)}>
                {t('boards.showTable')}
              </Menu.Item>
              <Menu.Item leftSection={<IconFileTypeCsv size={16} />} onClick={saveCsv}>
                {t('chart.saveCsv')}
              </Menu.Item>
            </>
          ) : null}
          {origins.size > 0 ? (
            <Menu.Item leftSection={<IconRoute size={16} />} onClick={() => setAsked([...origins])}>
              {t('boards.origin.all')}
            </Menu.Item>
          ) : null}
          <Menu.Item leftSection={<IconPhoto size={16} />} onClick={() => void savePicture()}>
            {t('chart.savePicture')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Asked title={title} origins={asked} onClose={() => setAsked(null)} />
      {table ? (
        <Suspense>
          <WidgetTable title={title} data={table} onClose={() => setTable(null)} />
        </Suspense>
      ) : null}
    </>
  );
}

/** Beside the menu of a chart: leads to where its numbers come from. */
export function WidgetOrigins({ title, origins }: Pick<WidgetToolsProps, 'title' | 'origins'>) {
  const { t } = useTranslation();
  const [asked, setAsked] = useState<readonly Origin[] | null>(null);
  const label = t('boards.origin.open', { title });
  return (
    <>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="sm"
        aria-label={label}
        title={label}
        onClick={() => setAsked([...origins])}
      >
        <IconRoute size={16} />
      </ActionIcon>
      <Asked title={title} origins={asked} onClose={() => setAsked(null)} />
    </>
  );
}

function Asked({
  title,
  origins,
  onClose,
}: {
  title: string;
  origins: readonly Origin[] | null;
  onClose: () => void;
}) {
  if (!origins) return null;
  return (
    <Suspense>
      <OriginDialog title={title} origins={origins} onClose={onClose} />
    </Suspense>
  );
}
