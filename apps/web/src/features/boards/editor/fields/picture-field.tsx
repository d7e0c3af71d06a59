import { Button, FileButton, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** A picture stands in the board itself. */
export function PictureField({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string;
  onChange: (value: string) => void;
}) {
  const { t } = useTranslation();
  const take = (file: File | null) => {
    if (!file) return;
    const reader = new FileReader();
    reader.addEventListener('load', () => onChange(String(reader.result)));
    reader.readAsDataURL(file);
  };
  return (
    <div>
      <Text size="sm" fw={500} mb={4}>
        {label}
      </Text>
      {value ? <img src={value} alt="" style={{ maxWidth: '100%', maxHeight: 120 }} /> : null}
      <FileButton accept="image/png,image/jpeg,image/webp,image/svg+xml" onChange={take}>
        {(props) => (
          <Button {...props} size="compact-sm" variant="default">
            {t('boards.choosePicture')}
          </Button>
        )}
      </FileButton>
    </div>
  );
}
