import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';

/** Languages the app speaks: one file of texts each, loaded on demand. */
const languages: Record<string, () => Promise<{ default: object }>> = {
  en: () => import('../locales/en.json'),
};

/** Loads the texts of the browser's language, or English, before anything is shown. */
export async function startTranslation(): Promise<void> {
  const language = navigator.languages.map((tag) => tag.split('-')[0] ?? '').find((tag) => languages[tag]);
  const lng = language ?? 'en';
  const texts = await languages[lng]?.();
  document.documentElement.lang = lng;
  await i18next.use(initReactI18next).init({
    lng,
    fallbackLng: 'en',
    resources: { [lng]: { translation: texts?.default ?? {} } },
    interpolation: { escapeValue: false },
    returnNull: false,
  });
}
