import type { Colours } from '@albedo/contract/branding/colours';
import type { Theme } from '@albedo/contract/workgroups/workgroups.schema';
import { coloursOf } from '../../app/looks.ts';

/** A theme as it is typed. */
export interface ThemeDraft extends Colours {
  /** The colours are one's own. */
  isCustom: boolean;
  title: string;
  serviceName: string;
}

export const COLOUR_KEYS = ['primary', 'secondary', 'accent', 'text'] as const;

export const draftOf = (theme: Theme | null): ThemeDraft => ({
  ...coloursOf(theme ?? {}),
  isCustom: COLOUR_KEYS.some((key) => theme?.[key] !== undefined),
  title: theme?.title ?? '',
  serviceName: theme?.serviceName ?? '',
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
