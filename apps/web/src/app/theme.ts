import { type CSSVariablesResolver, createTheme } from '@mantine/core';
import { BRAND, hoverOf, readableOn, shadesOf } from './brand.ts';

const FONT = "'Inter Variable', system-ui, -apple-system, 'Segoe UI', sans-serif";
const MONO = "ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, monospace";

/** Mantine's greys of the dark scheme, from text to the deepest ground, in our neutral tone. */
const DARK = [
  '#e6e9e4',
  '#b9c0b6',
  '#9ca59a',
  '#6b746a',
  '#3a413a',
  '#2e332e',
  '#1f231f',
  '#191c19',
  '#141614',
  '#0f110f',
] as const;

export const theme = createTheme({
  colors: {
    brand: shadesOf(BRAND.primary),
    secondary: shadesOf(BRAND.secondary),
    accent: shadesOf(BRAND.accent),
    dark: DARK,
  },
  primaryColor: 'brand',
  primaryShade: 5,
  autoContrast: true,
  luminanceThreshold: 0.4,
  fontFamily: FONT,
  fontFamilyMonospace: MONO,
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.25rem' },
  headings: { fontFamily: FONT, fontWeight: '600' },
  defaultRadius: 6,
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Modal: {
      defaultProps: { centered: true, overlayProps: { backgroundOpacity: 0.4 } },
      styles: { title: { fontSize: '1rem', fontWeight: 600, lineHeight: 1.35 } },
    },
    Notification: { defaultProps: { withBorder: true } },
    Tooltip: { defaultProps: { openDelay: 300, transitionProps: { duration: 100 } } },
    Menu: { defaultProps: { transitionProps: { duration: 100 }, withInitialFocusPlaceholder: false } },
    // Outside of the page's own landmarks a header element would be a second banner.
    ModalHeader: { defaultProps: { role: 'presentation' } },
  },
});

/** Colours with a meaning. Texts reach a contrast of 4.5 on every surface of their scheme. */
const light = {
  page: '#f6f7f6',
  surface: '#ffffff',
  raised: '#ffffff',
  border: '#dfe2dd',
  hover: '#f0f2ee',
  text: '#1b1e1a',
  dimmed: '#5b6159',
  ok: '#1e7a3c',
  warning: '#9a5b00',
  danger: '#c4281c',
};
const dark: typeof light = {
  page: '#121412',
  surface: '#191c19',
  raised: '#1f231f',
  border: '#2e332e',
  hover: '#232823',
  text: '#e6e9e4',
  dimmed: '#9ca59a',
  ok: '#5dc47d',
  warning: '#f0a93a',
  danger: '#ff7a6b',
};

/**
 * CSS variables of the product: `--al-<name>` for the colours above, `--al-brand`, `--al-brand-hover`,
 * `--al-on-brand` for painted surfaces, and `--al-brand-text` for text and thin lines in the brand's colour.
 */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {
    '--al-brand': BRAND.primary,
    '--al-brand-hover': hoverOf(BRAND.primary),
    '--al-on-brand': BRAND.text,
  },
  light: scheme(light),
  dark: scheme(dark),
});

function scheme(colours: typeof light): Record<string, string> {
  const brandText = readableOn(BRAND.primary, colours.page, 5);
  return {
    ...Object.fromEntries(Object.entries(colours).map(([name, colour]) => [`--al-${name}`, colour])),
    '--al-brand-text': brandText,
    '--mantine-color-body': colours.surface,
    '--mantine-color-text': colours.text,
    '--mantine-color-dimmed': colours.dimmed,
    '--mantine-color-placeholder': colours.dimmed,
    '--mantine-color-default': colours.surface,
    '--mantine-color-default-hover': colours.hover,
    '--mantine-color-default-color': colours.text,
    '--mantine-color-default-border': colours.border,
    '--mantine-color-anchor': brandText,
    '--mantine-color-error': colours.danger,
    '--mantine-color-brand-text': brandText,
    '--mantine-color-brand-light-color': brandText,
    '--mantine-color-brand-outline': brandText,
    '--mantine-primary-color-light-color': brandText,
  };
}
