import type { EnergyConfigName } from '@albedo/contract/energy/energy.names';
import type { EnergyReport } from '@albedo/contract/energy/energy.schema';
import { energyScreens } from '@albedo/contract/energy/energy.screens';
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { denialOf, visitorOf } from '../../app/guard.ts';
import { useSignedIn } from '../../app/session.ts';
import classes from './energy.module.css';
import { someNames } from './some-names.ts';

/** What is not set yet, who can set it, and the way there for those who may. */
export function ReportMissing({ missing }: { missing: EnergyReport['missing'] }) {
  const { t } = useTranslation();
  const mayOpen = useMayConfigure();
  return (
    <ul className={classes.missing}>
      {missing.map(({ reason, config, names }) => (
        <li key={`${reason} ${config}`}>
          <span>
            {t(`energy.reasons.${reason}`)}
            {names.length > 0 ? ` ${t('energy.concerns', { names: someNames(names) })}` : ''}
          </span>
          {mayOpen(config) ? (
            <Button component={Link} to={`/admin/reports/${config}`} size="xs" variant="default">
              {t('energy.configure', { config: t(`energy.configs.${config}`) })}
            </Button>
          ) : (
            <span className={classes.note}>
              {t('energy.whoConfigures', { config: t(`energy.configs.${config}`) })}
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Tells whether the person may open the screen of a configuration and save it. */
function useMayConfigure(): (config: EnergyConfigName) => boolean {
  const visitor = visitorOf(useSignedIn());
  return (config) =>
    visitor !== null &&
    denialOf({ ...energyScreens[`/admin/reports/${config}`], unbound: true }, visitor) === null;
}
