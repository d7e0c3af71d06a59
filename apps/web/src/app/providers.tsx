import { MantineProvider } from '@mantine/core';
import { type ReactNode, useMemo } from 'react';
import { BrandLogo } from '../ui/logo.tsx';
import { useLooks } from './looks.ts';
import { colorSchemeManager } from './preferences.ts';
import { cssVariablesOf, themeOf } from './theme.ts';

/** What every screen stands in, signed in or not. */
export function Providers({ children }: { children: ReactNode }) {
  const { colours, logo } = useLooks();
  const [theme, cssVariables] = useMemo(
    () => [themeOf(colours), cssVariablesOf(colours)] as const,
    [colours],
  );
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      colorSchemeManager={colorSchemeManager}
    >
      <BrandLogo value={logo}>{children}</BrandLogo>
    </MantineProvider>
  );
}
