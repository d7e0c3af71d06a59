import { contrast, READABLE, textOn } from '@albedo/contract/branding/colours';
import { Checkbox, ColorInput, MantineThemeProvider, TextInput } from '@mantine/core';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { coloursOf } from '../../app/looks.ts';
import { LevelIcon } from '../../ui/status/level-icon.tsx';
import { BrandSample } from './brand-sample.tsx';
import classes from './branding.module.css';
import { COLOUR_KEYS, isColour, isComplete, type ThemeDraft } from './theme-draft.ts';

interface ThemeFieldsProps {
  draft: ThemeDraft;
  onChange: (draft: ThemeDraft) => void;
}

/** Names and colours of a brand, with a sample that follows. */
export function ThemeFields({ draft, onChange }: ThemeFieldsProps) {
  const { t } = useTranslation();
  const shown = draft.isCustom && isComplete(draft) ? draft : coloursOf({});
  return (
    <div className={classes.theme}>
      <div className={classes.fields}>
        <TextInput
          label={t('branding.serviceName')}
          description={t('branding.serviceNameHelp')}
          maxLength={40}
          value={draft.serviceName}
          onChange={(event) => onChange({ ...draft, serviceName: event.currentTarget.value })}
        />
        <TextInput
          label={t('branding.pageTitle')}
          description={t('branding.pageTitleHelp')}
          maxLength={80}
          value={draft.title}
          onChange={(event) => onChange({ ...draft, title: event.currentTarget.value })}
        />
        <Checkbox
          label={t('branding.custom')}
          checked={draft.isCustom}
          onChange={(event) => onChange({ ...draft, isCustom: event.currentTarget.checked })}
        />
        {draft.isCustom ? (
          <div className={classes.colours}>
            <MantineThemeProvider theme={named(t)} inherit>
              {COLOUR_KEYS.map((key) => (
                <ColorInput
                  key={key}
                  label={t(`branding.colours.${key}`)}
                  value={draft[key]}
                  error={isColour(draft[key]) ? null : t('branding.colourInvalid')}
                  withEyeDropper={false}
                  onChange={(value) => onChange({ ...draft, [key]: value })}
                />
              ))}
            </MantineThemeProvider>
          </div>
        ) : null}
      </div>
      <div className={classes.sampleColumn}>
        <BrandSample colours={shown} serviceName={draft.serviceName} />
        {draft.isCustom && isComplete(draft) ? <Verdict draft={draft} /> : null}
      </div>
    </div>
  );
}

/** Whether the chosen text can be read on the chosen colour, and what stands there when it cannot. */
function Verdict({ draft }: { draft: ThemeDraft }) {
  const { t } = useTranslation();
  const ratio = contrast(draft.text, draft.primary);
  const isReadable = ratio >= READABLE;
  const instead = textOn(draft.primary, draft.text) === '#ffffff' ? 'white' : 'black';
  return (
    <p className={classes.verdict} role="status">
      <LevelIcon mark={isReadable ? 'ok' : 'warning'} size={16} />
      <span>
        {t(isReadable ? 'branding.readable' : `branding.unreadable.${instead}`, { ratio: ratio.toFixed(1) })}
      </span>
    </p>
  );
}

/** The field does not name the sliders that it opens; their own defaults do. */
const named = (t: TFunction) => ({
  components: {
    ColorPicker: {
      defaultProps: { hueLabel: t('branding.hue'), saturationLabel: t('branding.saturation') },
    },
  },
});
