import type { Brand } from '@albedo/contract/branding/branding.schema';
import { BRAND } from '@albedo/contract/branding/colours';
import { PRODUCT_NAME } from '@albedo/contract/product';

/** What a browser installs the app by. Source: https://www.w3.org/TR/appmanifest/ */
export interface WebManifest {
  id: string;
  name: string;
  short_name: string;
  start_url: string;
  scope: string;
  display: 'standalone';
  theme_color: string;
  background_color: string;
  icons: readonly { src: string; sizes: string; type?: string; purpose?: 'any' | 'maskable' }[];
}

/** Browsers install nothing without an icon of 192 and one of 512 pixels. */
const ICONS: WebManifest['icons'] = [
  { src: '/icons/icon-192.png', sizes: '192x192', type: 'image/png', purpose: 'any' },
  { src: '/icons/icon-512.png', sizes: '512x512', type: 'image/png', purpose: 'any' },
];
const MASKABLE = {
  src: '/icons/maskable-512.png',
  sizes: '512x512',
  type: 'image/png',
  purpose: 'maskable',
} as const;

/** The manifest of a host name: its name, colour and icon, else those of the product. */
export function webManifest({ theme, images }: Brand): WebManifest {
  const serviceName = theme.serviceName || PRODUCT_NAME;
  const own = images.favicon ?? images.logo;
  const kind = images.favicon === undefined ? 'logo' : 'favicon';
  return {
    id: '/',
    name: theme.title || serviceName,
    short_name: serviceName,
    // Leads to the start page of whoever is signed in.
    start_url: '/login',
    scope: '/',
    display: 'standalone',
    theme_color: theme.primary || BRAND.primary,
    background_color: '#f6f7f6',
    icons:
      own === undefined
        ? [...ICONS, MASKABLE]
        : [{ src: `/api/v1/branding/${kind}?v=${own}`, sizes: 'any', purpose: 'any' }, ...ICONS],
  };
}
