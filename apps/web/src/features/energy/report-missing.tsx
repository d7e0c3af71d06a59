import type { EnergyConfigName } from '@albedo/contract/energy/energy.names';
import type { EnergyReport } from '@albedo/contract/energy/energy.schema';
import { energyScreens } from '@albedo/contract/energy/energy.screens';
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { type Denial, denialOf, visitorOf } from '../../app/guard.ts';
import { useSignedIn } from '../../app/session.ts';
import classes from './energy.module.css';
import { someNames } from './some-names.ts';

/** What is not set yet, who can set it, and the way there for those who may. */
export function ReportMissing({ missing }: { missing: EnergyReport['missing'] }) {
  const { t } = useTranslation();
  const denialFor = useConfigDenial();
  return (
    <ul className={classes.missing}>
      {missing.map(({ reason, config, names }) => (
        <li key={`${reason} ${config}`}>
          <span>
            {t(`energy.reasons.${reason}`)}
            {names.length > 0 ? ` ${t('energy.concerns', { names: someNames(names) })}` : ''}
          </span>
          {denialFor(config) === null ? (
            <Button component={Link} to={`/admin/reports/${config}`} size="xs" variant="default">
              {t('energy.configure', { config: t(`energy.configs.${config}`) })}
            </Button>
          ) : (
            <span className={classes.note}>
              {denialFor(config)?.required === 'addons'
                ? t('energy.needsAddon')
                : t('energy.whoConfigures', { config: t(`energy.configs.${config}`) })}
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Why the person may not open the screen of a configuration and save it; null where they may. */
function useConfigDenial(): (config: EnergyConfigName) => Denial | null {
  const visitor = visitorOf(useSignedIn());
  return (config) =>
    visitor === null
      ? {}
      : denialOf({ ...energyScreens[`/admin/reports/${config}`], unbound: true }, visitor);
}
