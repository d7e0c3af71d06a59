import type { Brand } from '@albedo/contract/branding/branding.schema';

/**
 * The page of the web app as it has to look at a host name from its first moment on: with the title, the icon, and
 * what the app reads its colours from. Scripts of the page itself are forbidden, so that stands in a meta element.
 */
export function brandedPage(page: string, { theme, images }: Brand): string {
  const title = theme.title ?? theme.serviceName;
  const meta = `<meta name="albedo-brand" content="${escapeHtml(JSON.stringify({ theme, images }))}" />`;
  let branded = page.replace('</head>', () => `${meta}\n  </head>`);
  if (title) branded = branded.replace(/<title>[^<]*<\/title>/, () => `<title>${escapeHtml(title)}</title>`);
  if (images.favicon) {
    const icon = `<link rel="icon" href="/api/v1/branding/favicon?v=${images.favicon}" />`;
    branded = branded.replace(/<link rel="icon"[^>]*>/, () => icon);
  }
  return branded;
}

/** True for a host name that nobody dressed. */
export const isPlain = ({ theme, images }: Brand): boolean =>
  Object.keys(theme).length === 0 && Object.keys(images).length === 0;

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
