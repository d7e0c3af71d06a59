import type { EnergyReport } from '@albedo/contract/energy/energy.schema';
import { Anchor } from '@mantine/core';
import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './energy.module.css';
import { PORTFOLIO } from './report-address.ts';

/** From the portfolio down to what is shown; each step leads back to itself. */
export function ReportPath({
  path,
  onScope,
}: {
  path: EnergyReport['path'];
  onScope: (scope: string) => void;
}) {
  const { t } = useTranslation();
  return (
    <nav className={classes.path} aria-label={t('energy.path')}>
      {path.map(({ scope, name }, at) => {
        const text = scope === PORTFOLIO ? t('energy.portfolio') : name;
        return (
          <Fragment key={scope}>
            {at > 0 ? <span aria-hidden>{'›'}</span> : null}
            {at === path.length - 1 ? (
              <span aria-current="page">{text}</span>
            ) : (
              <Anchor component="button" type="button" size="sm" onClick={() => onScope(scope)}>
                {text}
              </Anchor>
            )}
          </Fragment>
        );
      })}
    </nav>
  );
}
