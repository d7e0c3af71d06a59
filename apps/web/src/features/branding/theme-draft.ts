import type { Colours } from '@albedo/contract/branding/colours';
import { type Theme, theme } from '@albedo/contract/workgroups/workgroups.schema';
import { z } from 'zod';
import { coloursOf } from '../../app/looks.ts';

/** A theme as it is typed. */
export interface ThemeDraft extends Colours {
  /** The colours are one's own. */
  isCustom: boolean;
  title: string;
  serviceName: string;
}

export const COLOUR_KEYS = ['primary', 'secondary', 'accent', 'text'] as const;

export const draftOf = (kept: Theme | null): ThemeDraft => ({
  ...coloursOf(kept ?? {}),
  isCustom: COLOUR_KEYS.some((key) => kept?.[key] !== undefined),
  title: kept?.title ?? '',
  serviceName: kept?.serviceName ?? '',
});

/** What is kept of a draft: only what differs from the defaults. */
export function themeOfDraft({ isCustom, title, serviceName, ...colours }: ThemeDraft): Theme {
  return {
    ...(isCustom ? colours : {}),
    ...(title.trim() ? { title: title.trim() } : {}),
    ...(serviceName.trim() ? { serviceName: serviceName.trim() } : {}),
  };
}

export const isColour = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text);

export const isComplete = (draft: ThemeDraft): boolean =>
  !draft.isCustom || COLOUR_KEYS.every((key) => isColour(draft[key]));

/** The contract's schema, of a theme as it is typed. */
export const typedTheme = z.custom<ThemeDraft>().transform(themeOfDraft).pipe(theme);
