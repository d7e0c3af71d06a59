import { Menu } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import classes from './row-menu.module.css';

interface RowAction {
  title: string;
  icon: ReactNode;
  isDangerous?: boolean;
  /** Why it cannot be done now. */
  disabledBecause?: string | null;
  onClick: () => void;
}

/** What can be done with a row of a table. */
export function RowMenu({ label, actions }: { label: string; actions: RowAction[] }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Menu opened={isOpen} onChange={setOpen} position="bottom-end" returnFocus>
      <Menu.Target>
        <button type="button" className={classes.more} aria-label={label}>
          ···
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {actions.map(({ title, icon, isDangerous, disabledBecause, onClick }) => (
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
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
