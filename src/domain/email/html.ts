import type { Language } from './language.ts';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const BODY =
  'margin:0;padding:24px;font:16px/1.5 Arial,Helvetica,sans-serif;color:#111827;background:#ffffff;' +
  // A long name or number must not make a phone scroll sideways.
  'overflow-wrap:anywhere';
const BUTTON =
  'display:inline-block;margin:8px 0;padding:10px 18px;border-radius:6px;background:#111827;color:#ffffff;' +
  'text-decoration:none';

/** The parts of an email as HTML; `link` is the text that the paragraphs have for the button. */
type Parts = {
  subject: string;
  paragraphs: readonly string[];
  language: Language;
  link: string | null;
  button: string;
};

/** The HTML of an email: its text escaped, its lines kept, and a button in the place of the link. */
export function htmlOf({ subject, paragraphs, language, link, button }: Parts): string {
  const anchor =
    link === null ? '' : `<br><a href="${escaped(link)}" style="${BUTTON}">${escaped(button)}</a>`;
  const shown = (paragraph: string) => {
    const html = escaped(paragraph).replaceAll('\n', '<br>\n');
    return link === null ? html : html.replaceAll(escaped(link), () => anchor);
  };
  return [
    '<!doctype html>',
    `<html lang="${language}">`,
    '<head><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
    `<title>${escaped(subject)}</title></head>`,
    `<body style="${BODY}">`,
    ...paragraphs.map((paragraph) => `<p>${shown(paragraph)}</p>`),
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}
