import { Menu } from '@mantine/core';
import type { ReactNode } from 'react';

export interface RowLine {
  title: string;
  icon: ReactNode;
  isDangerous?: boolean;
  /** Why it cannot be done now. */
  disabledBecause?: string | null;
  onClick: () => void;
}

/** The lines of the menu of a row. */
export function RowMenuLines({ actions }: { actions: readonly RowLine[] }) {
  return actions.map(({ title, icon, isDangerous, disabledBecause, onClick }) => (
    <Menu.Item
      key={title}
      leftSection={icon}
      onClick={onClick}
      disabled={Boolean(disabledBecause)}
      title={disabledBecause ?? undefined}
      {...(isDangerous ? { color: 'var(--al-danger)' } : {})}
    >
      {title}
    </Menu.Item>
  ));
}
