import type { SettingsOf } from '@albedo/contract/boards/widgets/widgets';
import { useContext } from 'react';
import { useTranslation } from 'react-i18next';
import { CameraControl } from '../../../photos/camera-control.tsx';
import { InSight, useBoard } from '../../board-context.ts';
import type { WidgetProps } from '../../widget.ts';
import { WidgetNote } from '../../widget-error.tsx';

/** A camera of a plant: what it saw last, and what it can be told. */
export function CameraView({ settings }: WidgetProps<SettingsOf<'camera'>>) {
  const { t } = useTranslation();
  const { wg, zone, isDisplay, isEditing } = useBoard();
  const isInSight = useContext(InSight);
  const [device = '', ...source] = (settings.camera ?? '').split('.');
  const camera = { device, source: source.join('.') };
  if (isDisplay) return <WidgetNote text={t('boards.notOnDisplays')} />;
  if (device === '' || camera.source === '') return <WidgetNote text={t('boards.photo.choose')} />;
  return <CameraControl wg={wg} {...camera} zone={zone} isStill={isEditing} isHidden={!isInSight} />;
}
