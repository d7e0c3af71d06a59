import type { Brand } from '@albedo/contract/branding/branding.schema';
import { BRAND, textOn } from '@albedo/contract/branding/colours';
import { hoverOf, readableOn } from './brand.ts';

/** The ground of the first paint, light and dark, as `theme.ts` has it. */
const GROUND = { light: '#f6f7f6', dark: '#121412' } as const;

/**
 * Puts the first paint into the scheme that was chosen here and the brand of the host name, as the server put it into the
 * page. Answers the brand; null where the host has none of its own.
 */
export function wearBrand(): Brand | null {
  const { dataset, style } = document.documentElement;
  const scheme = localStorage.getItem('mantine-color-scheme-value');
  if (scheme === 'light' || scheme === 'dark') dataset.scheme = scheme;
  const content = document.querySelector<HTMLMetaElement>('meta[name="albedo-brand"]')?.content;
  if (!content) return null;
  const brand: Brand = JSON.parse(content);
  const { theme } = brand;
  const primary = theme.primary || BRAND.primary;
  const onBrand = textOn(primary, theme.text || BRAND.text);
  const variables = {
    '--first-brand': primary,
    '--first-brand-hover': hoverOf(primary, onBrand),
    '--first-on-brand': onBrand,
    '--first-brand-light': readableOn(primary, GROUND.light, 5),
    '--first-brand-dark': readableOn(primary, GROUND.dark, 5),
  };
  for (const [name, value] of Object.entries(variables)) style.setProperty(name, value);
  return brand;
}
