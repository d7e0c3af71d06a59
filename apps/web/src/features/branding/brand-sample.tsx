import type { Colours } from '@albedo/contract/branding/colours';
import { Button, NativeSelect, useComputedColorScheme } from '@mantine/core';
import type { CSSProperties } from 'react';
import { useTranslation } from 'react-i18next';
import { useLooks } from '../../app/looks.ts';
import { brandTextOf, brandVariables } from '../../app/theme.ts';
import classes from './branding.module.css';

/** Heading, buttons and a drop-down as they look in these colours. */
export function BrandSample({ colours, serviceName }: { colours: Colours; serviceName: string }) {
  const { t } = useTranslation();
  const scheme = useComputedColorScheme('light');
  const looks = useLooks();
  const variables = { ...brandVariables(colours), '--al-brand-text': brandTextOf(colours, scheme) };
  return (
    <figure className={classes.sample} style={variables as CSSProperties} aria-label={t('branding.sample')}>
      <div className={classes.sampleBar}>{serviceName.trim() || looks.serviceName}</div>
      {/* It shows and does nothing. */}
      <div className={classes.sampleBody} aria-hidden="true" inert>
        <p className={classes.sampleTitle}>{t('branding.sampleHeading')}</p>
        <div className={classes.sampleRow}>
          <Button size="xs">{t('branding.sampleButton')}</Button>
          <Button size="xs" variant="default">
            {t('actions.cancel')}
          </Button>
          <span className={classes.sampleLink}>{t('branding.sampleLink')}</span>
        </div>
        <NativeSelect
          size="xs"
          aria-label={t('branding.sampleChoice')}
          data={[t('branding.sampleChoice'), t('branding.sampleHeading')]}
        />
        <div className={classes.sampleRow}>
          <span className={classes.swatch} style={{ background: 'var(--al-secondary)' }} />
          {t('branding.colours.secondary')}
          <span className={classes.swatch} style={{ background: 'var(--al-accent)' }} />
          {t('branding.colours.accent')}
        </div>
      </div>
    </figure>
  );
}
