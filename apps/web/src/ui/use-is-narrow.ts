import { useMediaQuery } from '@mantine/hooks';

/** Below this width the menu is a drawer and tables become rows of two lines. Source: specification 1, section 9. */
export const NARROW_PX = 700;

export const useIsNarrow = (): boolean =>
  useMediaQuery(`(max-width: ${NARROW_PX - 1}px)`, undefined, { getInitialValueInEffect: false }) ?? false;
