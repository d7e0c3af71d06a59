import { BRAND, type Colours, contrast, textOn } from '@albedo/contract/branding/colours';
import {
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type MantineThemeOverride,
} from '@mantine/core';
import i18next from 'i18next';
import { hoverOf, readableOn, shadesOf } from './brand.ts';

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

/** Mantine's names for the same, which it sets again for each scheme. */
const PRIMARY = {
  '--mantine-primary-color-filled': 'var(--al-brand)',
  '--mantine-primary-color-filled-hover': 'var(--al-brand-hover)',
  '--mantine-primary-color-contrast': 'var(--al-on-brand)',
};

/** What all brands have in common. */
const common = {
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
    // Help stands below its field. Nearly every field has to be filled, so none is marked: what is missing is said.
    InputWrapper: {
      defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'], withAsterisk: false },
    },
    Modal: {
      defaultProps: { centered: true, overlayProps: { backgroundOpacity: 0.4 } },
      styles: { title: { fontSize: '1rem', fontWeight: 600, lineHeight: 1.35 } },
    },
    Notification: {
      // Asked for when one is shown: the language may be another one by then.
      defaultProps: () => ({
        withBorder: true,
        closeButtonProps: { 'aria-label': i18next.t('actions.close') },
      }),
      // What went wrong is read, not passed over: below a title it would be too pale.
      styles: { description: { color: 'var(--mantine-color-text)' } },
    },
    Tooltip: { defaultProps: { openDelay: 300, transitionProps: { duration: 100 } } },
    Menu: { defaultProps: { transitionProps: { duration: 100 }, withInitialFocusPlaceholder: false } },
    // Outside of the page's own landmarks a header element would be a second banner.
    ModalHeader: { defaultProps: { role: 'presentation' } },
  },
  // Buttons in the brand's colour have its text and its hover shade, whatever that colour is.
  variantColorResolver: (input) => {
    const colours = defaultVariantColorsResolver(input);
    const isBrand = input.color === undefined || input.color === input.theme.primaryColor;
    if (input.variant !== 'filled' || !isBrand) return colours;
    return {
      ...colours,
      background: 'var(--al-brand)',
      hover: 'var(--al-brand-hover)',
      color: 'var(--al-on-brand)',
      border: '1px solid var(--al-brand-edge)',
    };
  },
} satisfies MantineThemeOverride;

/** Mantine's theme in the colours of a brand. */
export const themeOf = ({ primary, secondary, accent }: Colours): MantineThemeOverride =>
  createTheme({
    ...common,
    colors: {
      brand: shadesOf(primary),
      secondary: shadesOf(secondary),
      accent: shadesOf(accent),
      dark: DARK,
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
  disabled: '#e9ece7',
  faint: '#8b9188',
  ok: '#1e7a3c',
  warning: '#9a5b00',
  caution: '#766200',
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
  disabled: '#262b26',
  faint: '#6f786d',
  ok: '#5dc47d',
  warning: '#f0a93a',
  caution: '#e3d04f',
  danger: '#ff7a6b',
};

/**
 * CSS variables of the product: `--al-<name>` for the colours above, `--al-brand`, `--al-brand-hover`,
 * `--al-on-brand` for painted surfaces, `--al-secondary`, `--al-accent`, `--al-brand-text` for text and thin lines in the
 * brand's colour, and `--al-brand-edge` around what is painted in it where the page has nearly the same colour.
 */
export function cssVariablesOf(colours: Colours): CSSVariablesResolver {
  const variables = brandVariables(colours);
  return () => ({ variables, light: scheme(light, colours), dark: scheme(dark, colours) });
}

/** The variables of painted surfaces, the same in both schemes. */
export function brandVariables({ primary, secondary, accent, text }: Colours): Record<string, string> {
  const onBrand = textOn(primary, text);
  return {
    '--al-brand': primary,
    '--al-brand-hover': hoverOf(primary, onBrand),
    '--al-on-brand': onBrand,
    '--al-secondary': secondary,
    '--al-accent': accent,
    ...PRIMARY,
  };
}

/** As the product comes. */
export const theme = themeOf(BRAND);
export const cssVariables = cssVariablesOf(BRAND);

/** Contrast to the page under which a painted surface needs an edge. */
const EDGE_BELOW = 1.5;

/** The bar of the dark scheme is lighter than its page, and its text has to be readable there too. */
const brandShade = (primary: string, colours: typeof light): string =>
  readableOn(primary, colours.page, colours === light ? 5 : 6);

/** The shade of the brand's colour that text and thin lines have in the scheme. */
export const brandTextOf = ({ primary }: Colours, scheme: 'light' | 'dark'): string =>
  brandShade(primary, scheme === 'dark' ? dark : light);

function scheme(colours: typeof light, { primary }: Colours): Record<string, string> {
  const brandText = brandShade(primary, colours);
  return {
    ...Object.fromEntries(Object.entries(colours).map(([name, colour]) => [`--al-${name}`, colour])),
    '--al-brand-text': brandText,
    '--al-brand-edge': contrast(primary, colours.page) < EDGE_BELOW ? colours.border : 'transparent',
    ...PRIMARY,
    '--mantine-color-body': colours.surface,
    '--mantine-color-text': colours.text,
    '--mantine-color-dimmed': colours.dimmed,
    '--mantine-color-placeholder': colours.dimmed,
    '--mantine-color-default': colours.surface,
    '--mantine-color-default-hover': colours.hover,
    '--mantine-color-default-color': colours.text,
    '--mantine-color-default-border': colours.border,
    '--mantine-color-anchor': brandText,
    '--mantine-color-disabled': colours.disabled,
    '--mantine-color-disabled-color': colours.faint,
    '--mantine-color-disabled-border': colours.border,
    '--mantine-color-error': colours.danger,
    '--mantine-color-brand-text': brandText,
    '--mantine-color-brand-light-color': brandText,
    '--mantine-color-brand-outline': brandText,
    '--mantine-primary-color-light-color': brandText,
  };
}
