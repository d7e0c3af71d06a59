import { Menu, type MenuProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { Target, type TargetProps } from '../ui/target.tsx';

interface MenuFrameProps extends Omit<MenuProps, 'children'>, TargetProps {
  children: ReactNode;
}

/** A menu for a button that is already on the page. */
export function MenuFrame({ button, target, onSays, children, ...menu }: MenuFrameProps) {
  return (
    <Menu {...menu}>
      <Menu.Target>
        <Target button={button} target={target} onSays={onSays} />
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}
