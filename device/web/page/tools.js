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
  document.getElementById('theme')?.addEventListener('click', () => {
    const root = document.documentElement;
    const dark = root.dataset.theme === 'dark'
      || (root.dataset.theme === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches);
    root.dataset.theme = dark ? 'light' : 'dark';
    remember('theme', root.dataset.theme);
  });
}
