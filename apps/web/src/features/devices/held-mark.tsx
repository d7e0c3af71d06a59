import { useTranslation } from 'react-i18next';
import { LevelIcon } from '../../ui/status/level-icon.tsx';
import classes from '../../ui/status/status.module.css';

/** In place of online or offline of a device that is kept out. */
export function HeldMark() {
  const { t } = useTranslation();
  return (
    <span className={classes.state} data-mark="held">
      <LevelIcon mark="held" size={12} />
      {t('devices.inQuarantine')}
    </span>
  );
}
