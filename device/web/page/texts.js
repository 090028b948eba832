// The catalogue of texts in the language of the page, its digits and its plurals.

let lang = document.documentElement.lang || 'en';
let phrases = JSON.parse(document.getElementById('phrases').textContent);

export const language = () => lang;

// t returns the text of a key with its {placeholders} filled in; values written in an alphabet of their own are
// kept apart so that they do not disturb a sentence that runs the other way.
export function t(key, params = {}) {
  const phrase = phrases[key];
  if (!phrase) return key;
  return phrase.other.replace(/\{([a-z_]+)\}/g, (whole, name) => (name in params ? isolate(params[name]) : whole));
}

export const has = (key) => key in phrases;

function isolate(value) {
  const text = typeof value === 'number' ? digits(value) : String(value);
  return lang === 'fa' && /[^\d۰-۹ .,:،-]/.test(text) ? `\u2068${text}\u2069` : text;
}

// digits writes numbers, and the numbers in a text, in the digits of the language.
export function digits(value) {
  const text = String(value);
  return lang === 'fa' ? text.replace(/\d/g, (d) => '۰۱۲۳۴۵۶۷۸۹'[d]) : text;
}

// told picks the language of the page out of a text the server sent in all of them.
export const told = (words) => (words ? words[lang] || words.en || '' : '');

// apply writes the texts of the page's fixed parts.
export function apply(root = document) {
  for (const el of root.querySelectorAll('[data-t]')) el.textContent = t(el.dataset.t);
  for (const el of root.querySelectorAll('[data-title]')) {
    el.title = t(el.dataset.title);
    el.setAttribute('aria-label', el.title);
  }
  for (const el of root.querySelectorAll('[data-label]')) el.setAttribute('aria-label', t(el.dataset.label));
}

// setLanguage fetches another catalogue and turns the page to it.
export async function setLanguage(wanted) {
  const answer = await fetch(`/texts/${wanted}.json`);
  if (!answer.ok) return;
  phrases = await answer.json();
  lang = wanted;
  document.documentElement.lang = wanted;
  document.documentElement.dir = wanted === 'fa' ? 'rtl' : 'ltr';
  remember('lang', wanted);
  const url = new URL(location.href);
  if (url.searchParams.has('lang')) {
    url.searchParams.set('lang', wanted);
    history.replaceState(null, '', url);
  }
  apply();
}

// remember keeps a wish of the reader where the server sees it, so that the next page comes as wished.
export function remember(name, value) {
  document.cookie = `${name}=${value}; path=/; max-age=31536000; samesite=lax`;
}
