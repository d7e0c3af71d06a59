import { ActionIcon, Menu } from '@mantine/core';
import { IconDots, IconFileTypeCsv, IconPhoto, IconTable } from '@tabler/icons-react';
import { lazy, type RefObject, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { fileName, saveFile } from '../../ui/time-series-chart/chart-export.ts';
import classes from './boards.module.css';
import type { WidgetData } from './widget-data.ts';

const WidgetTable = lazy(async () => ({ default: (await import('./widget-table.tsx')).WidgetTable }));

interface WidgetToolsProps {
  title: string;
  data: RefObject<WidgetData | null>;
  card: HTMLElement | null;
}

/** The menu of a widget: what it shows as a table, as a file, as a picture. */
export function WidgetTools({ title, data, card }: WidgetToolsProps) {
  const { t } = useTranslation();
  const [has, setHas] = useState(false);
  const [table, setTable] = useState<WidgetData | null>(null);
  const saveCsv = async () => {
    const shown = data.current;
    if (!shown) return;
    const { dataToCsv } = await import('./widget-csv.ts');
    saveFile(new Blob([dataToCsv(shown)], { type: 'text/csv;charset=utf-8' }), fileName(title, 'csv'));
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
              <Menu.Item leftSection={<IconFileTypeCsv size={16} />} onClick={() => void saveCsv()}>
                {t('chart.saveCsv')}
              </Menu.Item>
            </>
          ) : null}
          <Menu.Item leftSection={<IconPhoto size={16} />} onClick={() => void savePicture()}>
            {t('chart.savePicture')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {table ? (
        <Suspense>
          <WidgetTable title={title} data={table} onClose={() => setTable(null)} />
        </Suspense>
      ) : null}
    </>
  );
}
