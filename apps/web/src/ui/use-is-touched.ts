import { useMediaQuery } from '@mantine/hooks';

/** Whether a finger is what points. */
export const useIsTouched = (): boolean =>
  useMediaQuery('(pointer: coarse)', undefined, { getInitialValueInEffect: false }) ?? false;
