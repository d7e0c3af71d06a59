import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './form-buttons.module.css';

interface FormButtonsProps {
  /** What the form does; 'Save' without it. */
  submit?: string;
  isWorking: boolean;
  isDisabled?: boolean;
  onCancel: () => void;
  /** What the button that leaves is called; 'Cancel' without it. */
  leave?: string;
  /** Apart from the others, at the left: what takes the thing away. */
  aside?: ReactNode;
}

/** How a form in a dialog ends. */
export function FormButtons({
  submit,
  isWorking,
  isDisabled = false,
  onCancel,
  leave,
  aside,
}: FormButtonsProps) {
  const { t } = useTranslation();
  return (
    <div className={classes.buttons}>
      {aside ? <div className={classes.aside}>{aside}</div> : null}
      <Button variant="default" onClick={onCancel}>
        {leave ?? t('actions.cancel')}
      </Button>
      <Button type="submit" loading={isWorking} disabled={isDisabled}>
        {submit ?? t('actions.save')}
      </Button>
    </div>
  );
}
