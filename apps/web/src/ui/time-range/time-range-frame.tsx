import { Drawer, FocusTrap, Popover } from '@mantine/core';
import { type ReactNode, type Ref, useLayoutEffect } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { useSoonOpen } from '../use-soon-open.ts';

export interface TimeRangeFrameProps {
  /** The button that opens it. */
  opener: HTMLElement | null;
  /** Base of the ids that link the panel and its button; see `time-range-picker`. */
  id: string;
  isOpen: boolean;
  isNarrow: boolean;
  /** The element in the page to show it in; null to show it over the page. */
  room: HTMLElement | null;
  onOpen: (isOpen: boolean) => void;
  /** Closes it from the keyboard; the focus returns to the button. */
  onLeave: () => void;
  children: ReactNode;
}

/** The frame around the panel of a time range: a drawer, a part of the page, or a card over it. */
export function TimeRangeFrame(props: TimeRangeFrameProps) {
  const { opener, id, isNarrow, room, onOpen, onLeave, children } = props;
  const { t } = useTranslation();
  const isOpen = useSoonOpen(props.isOpen);
  if (isNarrow)
    return (
      <Drawer
        opened={isOpen}
        onClose={() => onOpen(false)}
        position="bottom"
        size="85%"
        title={t('time.range')}
        styles={{ body: { padding: 0 } }}
      >
        {children}
      </Drawer>
    );
  if (room)
    return isOpen
      ? createPortal(
          <FocusTrap active>
            <div
              role="dialog"
              aria-label={t('time.range')}
              onKeyDown={(event) => {
                if (event.key !== 'Escape' || event.defaultPrevented) return;
                event.stopPropagation();
                onLeave();
              }}
            >
              {children}
            </div>
          </FocusTrap>,
          room,
        )
      : null;
  return (
    <Popover
      id={id}
      opened={isOpen}
      onChange={onOpen}
      position="bottom-end"
      width={640}
      trapFocus
      shadow="none"
      withRoles
    >
      <Popover.Target>
        <Opener element={opener} />
      </Popover.Target>
      <Popover.Dropdown p={0}>{children}</Popover.Dropdown>
    </Popover>
  );
}

/** Takes the place of the button, which the card expects as a child. */
function Opener({ ref, element }: { ref?: Ref<HTMLElement>; element: HTMLElement | null }) {
  useLayoutEffect(() => {
    if (typeof ref === 'function') ref(element);
    else if (ref) ref.current = element;
  }, [ref, element]);
  return null;
}
