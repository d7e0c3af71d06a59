import type { SettingsOf } from '@albedo/contract/boards/widgets/widgets';
import { Suspense, useContext } from 'react';
import { useTranslation } from 'react-i18next';
import { announced } from '../../../../app/inside.ts';
import { InSight, useBoard } from '../../board-context.ts';
import type { WidgetProps } from '../../widget.ts';
import { WidgetNote, WidgetSkeleton } from '../../widget-error.tsx';

/** A camera of a plant: what it saw last, and what it can be told. */
export function CameraView({ settings }: WidgetProps<SettingsOf<'camera'>>) {
  const { t } = useTranslation();
  const { wg, zone, isDisplay, isEditing } = useBoard();
  const isInSight = useContext(InSight);
  const [device = '', ...source] = (settings.camera ?? '').split('.');
  const camera = { wg, device, source: source.join('.'), zone };
  if (isDisplay) return <WidgetNote text={t('boards.notOnDisplays')} />;
  if (device === '' || camera.source === '') return <WidgetNote text={t('boards.photo.choose')} />;
  return (
    <Suspense fallback={<WidgetSkeleton />}>
      {announced('camera').map(({ at, Content }) => (
        <Content key={at} {...camera} isStill={isEditing} isHidden={!isInSight} />
      ))}
    </Suspense>
  );
}
