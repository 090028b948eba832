// The buttons for language and theme, the same on every page.
import { apply, language, remember, setLanguage } from './texts.js';

export function tools(onLanguage) {
  apply();
  const languageButton = document.getElementById('language');
  languageButton?.addEventListener('click', async () => {
    await setLanguage(language() === 'fa' ? 'en' : 'fa');
    languageButton.lang = language() === 'fa' ? 'en' : 'fa';
    onLanguage();
  });
  const sheet = document.getElementById('dark');
  document.getElementById('theme')?.addEventListener('click', () => {
    const theme = matchMedia(sheet.media).matches ? 'light' : 'dark';
    sheet.media = theme === 'dark' ? 'all' : 'not all';
    remember('theme', theme);
  });
}
