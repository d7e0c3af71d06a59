import { Radio, Stack, useMantineColorScheme } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Section } from '../../ui/section.tsx';

const SCHEMES = [
  { value: 'auto', title: 'shell.themeAuto' },
  { value: 'light', title: 'shell.themeLight' },
  { value: 'dark', title: 'shell.themeDark' },
] as const;

/** How the app looks in this browser. */
export function AppearancePanel() {
  const { t } = useTranslation();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Section title={t('shell.theme')}>
      <Radio.Group
        aria-label={t('shell.theme')}
        value={colorScheme}
        onChange={(value) => setColorScheme(value as typeof colorScheme)}
      >
        <Stack gap="xs">
          {SCHEMES.map(({ value, title }) => (
            <Radio key={value} value={value} label={t(title)} />
          ))}
        </Stack>
      </Radio.Group>
    </Section>
  );
}
