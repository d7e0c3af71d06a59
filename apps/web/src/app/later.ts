import { type ComponentType, lazy } from 'react';
import { loadAllTexts } from './i18n.ts';

/** A component of a page that is light at first: it comes when it is needed, with the texts that the page left out. */
export const later = <P extends object>(load: () => Promise<ComponentType<P>>) =>
  lazy(async () => ({ default: (await Promise.all([load(), loadAllTexts()]))[0] }));
