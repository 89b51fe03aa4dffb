import { integerOf } from './setting-values.ts';

/** The server that takes emails, and how it is used. */
export type EmailSettings = {
  host: string;
  port: number;
  /** TLS from the first byte (smtps); else STARTTLS. */
  is_tls: boolean;
  /** Null: no login. */
  login: { user: string; password: string } | null;
  from: EmailSender;
  /** Emails a second. */
  rate: number;
};

/** Who sends: the name that people read, empty without one, and the address. */
export type EmailSender = { name: string; address: string };

type Settings = Readonly<Record<string, string | undefined>>;

const DEPENDENT = ['SMTP_PASSWORD', 'EMAIL_FROM', 'EMAIL_RATE'] as const;
const PORTS = { 'smtp:': 587, 'smtps:': 465 };

/** The settings of emails; null: none leave. Throws an Error, one sentence, that names the variable and its fault. */
export function emailSettingsOf(settings: Settings): EmailSettings | null {
  const { SMTP_URL: url, EMAIL_FROM: from } = settings;
  if (url === undefined) {
    const alone = DEPENDENT.find((name) => settings[name] !== undefined);
    if (alone !== undefined) throw new Error(`${alone} is set without SMTP_URL; set both or neither`);
    return null;
  }
  if (from === undefined) throw new Error('SMTP_URL is set without EMAIL_FROM; set both or neither');
  if (settings['NODE_ENV'] === 'production' && settings['PUBLIC_URL'] === undefined)
    throw new Error('SMTP_URL needs PUBLIC_URL, the address of the links in emails');
  return {
    ...serverOf(url, settings['SMTP_PASSWORD']),
    from: senderOf(from),
    rate: integerOf(settings, 'EMAIL_RATE', { fallback: 10, low: 1, high: 1000 }),
  };
}

/** No error repeats the text, which may have a password. */
function serverOf(text: string, password: string | undefined): Omit<EmailSettings, 'from' | 'rate'> {
  const url = URL.canParse(text) ? new URL(text) : null;
  const protocol = url?.protocol;
  const has_only_host = url !== null && /^\/?$/.test(url.pathname) && url.search === '' && url.hash === '';
  if (!has_only_host || url.hostname === '' || (protocol !== 'smtp:' && protocol !== 'smtps:'))
    throw new Error('SMTP_URL must be an address such as smtp://user@smtp.example.com:587');
  if (password !== undefined && url.username === '')
    throw new Error('SMTP_PASSWORD is set, but SMTP_URL names no user');
  if (url.password !== '') throw new Error('SMTP_URL has a password: move it to SMTP_PASSWORD');
  if (url.username !== '' && password === undefined)
    throw new Error('SMTP_URL names a user; set SMTP_PASSWORD too');
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? PORTS[protocol] : Number(url.port),
    is_tls: protocol === 'smtps:',
    login: password === undefined ? null : { user: decoded(url.username), password },
  };
}

function decoded(user: string): string {
  try {
    return decodeURIComponent(user);
  } catch {
    throw new Error('SMTP_URL has a user with a % that begins no escape: write %25');
  }
}

function senderOf(text: string): EmailSender {
  const match = /^(?:"?([^"<>\r\n]*?)"?\s*<([^<>\s]+)>|([^<>\s]+))$/.exec(text.trim());
  const address = match?.[2] ?? match?.[3] ?? '';
  if (/^[^@\s",;]+@[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(address))
    return { name: match?.[1] ?? '', address };
  throw new Error(`EMAIL_FROM must be an address such as Acme <billing@acme.com>, not "${text}"`);
}
