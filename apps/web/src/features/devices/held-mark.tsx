import { useTranslation } from 'react-i18next';
import { LevelIcon } from '../../ui/status/level-icon.tsx';
import classes from '../../ui/status/status.module.css';

/** In place of online or offline of a device that is kept out; in one word where there is little room. */
export function HeldMark({ isShort = false }: { isShort?: boolean }) {
  const { t } = useTranslation();
  return (
    <span className={classes.state} data-mark="held">
      <LevelIcon mark="held" size={12} />
      {t(isShort ? 'devices.heldShort' : 'devices.inQuarantine')}
    </span>
  );
}
