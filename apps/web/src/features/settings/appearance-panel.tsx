import type { Language, SettingKey, UserSettings } from '@albedo/contract/settings/settings.schema';
import { Button, Radio, Select, Stack, Text, useMantineColorScheme } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useInstallOffer } from '../../app/install-offer.ts';
import { LANGUAGE_NAMES } from '../../app/language.ts';
import { notifyFailure } from '../../app/notify.ts';
import { useNow } from '../../app/now.ts';
import { zoneModeOf } from '../../app/preferences.ts';
import { Section } from '../../ui/section.tsx';
import { userZone } from '../../ui/time-range/time-zone.ts';
import { ZoneSelect } from '../../ui/time-range/zone-select.tsx';
import { formatInstant, offsetLabel } from '../../ui/time-range/zoned-time.ts';
import { formatFixed } from '../../ui/units/numbers.ts';
import { saveSetting, useSettings } from './settings.queries.ts';

const SCHEMES = [
  { value: 'auto', title: 'shell.themeAuto' },
  { value: 'light', title: 'shell.themeLight' },
  { value: 'dark', title: 'shell.themeDark' },
] as const;

/** How the app looks to its user: colours, language, and the zone of times; and whether it stands among their other apps. */
export function AppearancePanel() {
  const { t } = useTranslation();
  const settings = useSettings();
  const { colorScheme } = useMantineColorScheme();

  function save<K extends SettingKey>(key: K, value: UserSettings[K] | undefined) {
    saveSetting(key, value).catch((error: unknown) => notifyFailure(t('profile.notSaved'), error));
  }

  return (
    <>
      <Section title={t('shell.theme')}>
        <Radio.Group
          aria-label={t('shell.theme')}
          value={colorScheme}
          onChange={(value) => save('colorScheme', value as typeof colorScheme)}
        >
          <Stack gap="xs">
            {SCHEMES.map(({ value, title }) => (
              <Radio key={value} value={value} label={t(title)} />
            ))}
          </Stack>
        </Radio.Group>
      </Section>
      <Section title={t('profile.language')}>
        <Stack gap="xs">
          <Select
            aria-label={t('profile.language')}
            allowDeselect={false}
            value={settings.language ?? BROWSER}
            data={[
              { value: BROWSER, label: t('profile.languageOfBrowser') },
              ...Object.entries(LANGUAGE_NAMES).map(([value, label]) => ({ value, label })),
            ]}
            onChange={(next) => next && save('language', next === BROWSER ? undefined : (next as Language))}
          />
          <Example />
        </Stack>
      </Section>
      <Section title={t('time.zone')}>
        <Stack gap="md">
          <Radio.Group
            aria-label={t('time.zoneMode')}
            value={zoneModeOf(settings)}
            onChange={(value) => save('timeZoneMode', value as 'selected' | 'collected')}
          >
            <Stack gap="xs">
              <Radio
                value="selected"
                label={t('time.selectedZone')}
                description={t('profile.selectedText')}
              />
              <Radio
                value="collected"
                label={t('time.asCollected')}
                description={t('profile.collectedText')}
              />
            </Stack>
          </Radio.Group>
          <ZoneSelect
            value={settings.timeZone ?? ''}
            onChange={(zone) => save('timeZone', zone === 'local' ? undefined : zone)}
            select={{ label: t('time.selectedZone') }}
          />
          <Clock />
        </Stack>
      </Section>
      <Install />
    </>
  );
}

/** Only where the browser offers it: others have a menu entry of their own, or cannot. */
function Install() {
  const { t } = useTranslation();
  const install = useInstallOffer();
  if (!install) return null;
  return (
    <Section title={t('profile.install')}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{t('profile.installText')}</Text>
        <Button variant="default" onClick={install}>
          {t('profile.installDo')}
        </Button>
      </Stack>
    </Section>
  );
}

/** What stands for no choice of a language. */
const BROWSER = 'browser';

/** A number as the language writes it. */
function Example() {
  const { t } = useTranslation();
  return (
    <small style={{ color: 'var(--al-dimmed)' }}>
      {t('profile.example', { number: formatFixed(1234.5, 1) })}
    </small>
  );
}

/** What time it is in the chosen zone. */
function Clock() {
  const { t } = useTranslation();
  const now = useNow(1000);
  const zone = userZone();
  return (
    <small style={{ color: 'var(--al-dimmed)' }}>
      {t('profile.clock', { time: formatInstant(now, zone, false), offset: offsetLabel(now, zone) })}
    </small>
  );
}
