import { ActionIcon, Menu } from '@mantine/core';
import { IconDots, IconFileTypeCsv, IconPhoto } from '@tabler/icons-react';
import { type ReactNode, useContext } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './chart-head.module.css';
import { ChartTools } from './chart-tools.ts';

interface ChartHeadProps {
  title: string;
  /** What stands right of the title, such as the time zone. */
  note?: string | null | undefined;
  /** Between the note and the menu. */
  tools?: ReactNode;
  /** First lines of the menu. */
  items?: ReactNode;
  /** There is nothing to save. */
  isEmpty: boolean;
  onCsv: () => void;
  onPicture: () => Promise<void>;
}

/** Title of a chart, and the menu that saves it. */
export function ChartHead({ title, note, tools, items, isEmpty, onCsv, onPicture }: ChartHeadProps) {
  const { t } = useTranslation();
  const shared = useContext(ChartTools);
  return (
    <div className={classes.head}>
      <h2 className={classes.title}>{title}</h2>
      {note ? <span className={classes.note}>{note}</span> : null}
      {tools}
      {shared}
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={t('chart.menuOf', { title })}>
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {items}
          <Menu.Item leftSection={<IconFileTypeCsv size={16} />} onClick={onCsv} disabled={isEmpty}>
            {t('chart.saveCsv')}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconPhoto size={16} />}
            onClick={() => void onPicture()}
            disabled={isEmpty}
          >
            {t('chart.savePicture')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </div>
  );
}
