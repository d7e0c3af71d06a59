import type { DeviceSummary } from '@albedo/contract/devices/devices.schema';
import { createContext, useContext } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './devices.module.css';

/** Opens the dialog with the install command; null for people who may not install. */
export const Install = createContext<((device: DeviceSummary) => void) | null>(null);

/** Leads from a row to the install command of its device. A plain button, since there can be thousands. */
export function InstallButton({ device }: { device: DeviceSummary }) {
  const { t } = useTranslation();
  const install = useContext(Install);
  // What has no machine of its own has nothing to install.
  if (!install || device.ced) return null;
  return (
    <button type="button" tabIndex={-1} className={classes.install} onClick={() => install(device)}>
      {t('devices.showCommand')}
    </button>
  );
}
