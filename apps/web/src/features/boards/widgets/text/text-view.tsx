import type { SettingsOf } from '@albedo/contract/boards/widgets/widgets';
import { useTranslation } from 'react-i18next';
import { Markdown } from '../../../../ui/markdown.tsx';
import { useBoard } from '../../board-context.ts';
import type { WidgetProps } from '../../widget.ts';
import { WidgetNote } from '../../widget-error.tsx';
import classes from './text.module.css';

/** Words, as Markdown; `{entity}` stands for the name of the entity that the board shows. */
export function TextView({ settings: { text } }: WidgetProps<SettingsOf<'text'>>) {
  const { t } = useTranslation();
  const { byId, entityId } = useBoard();
  if (text.trim() === '') return <WidgetNote text={t('boards.noText')} />;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard
    <div className={classes.text} tabIndex={0}>
      <Markdown>{text.replaceAll('{entity}', byId.get(entityId)?.name ?? '')}</Markdown>
    </div>
  );
}
