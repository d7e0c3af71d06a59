import { Tooltip } from '@mantine/core';

interface HintBoxProps {
  target: HTMLElement;
  label: string;
  position: 'top' | 'right';
}

/** The words of a `Hint`. */
export const HintBox = (props: HintBoxProps) => <Tooltip {...props} />;
