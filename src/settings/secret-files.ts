import { readFileSync } from 'node:fs';
import { messageOf } from '../process/message-of.ts';

/** Settings that are or contain a secret. NAME_FILE sets the path of a file with the value instead. */
export const SECRETS = [
  'DATABASE_URL',
  'DATABASE_PASSWORD',
  'DATABASE_READ_URL',
  'DATABASE_ADMIN_URL',
  'DATABASE_ADMIN_PASSWORD',
  'TEMPORAL_API_KEY',
  'TIDEMARK_SECRET',
  'OIDC_CLIENT_SECRET',
  'SMTP_PASSWORD',
  'TIDEMARK_KEY',
] as const;

type Settings = Readonly<Record<string, string | undefined>>;

/** The name of the setting with the path of a secret's file. */
export function fileSettingOf(name: string): string {
  return `${name}_FILE`;
}

/**
 * The settings with the secrets of their files. Throws an Error, one sentence that names the setting, for a file that
 * is of no use.
 */
export function withSecretFiles(settings: Settings): Settings {
  const read = SECRETS.flatMap((name) => {
    const file = settings[fileSettingOf(name)];
    return file === undefined ? [] : [[name, secretOf(name, settings[name], file)]];
  });
  return { ...settings, ...Object.fromEntries(read) };
}

function secretOf(name: string, value: string | undefined, file: string): string {
  const setting = fileSettingOf(name);
  if (value !== undefined) throw new Error(`${name} and ${setting} are both set; remove one`);
  if (file === '') throw new Error(`${setting} is empty; set a path or remove the setting`);
  const secret = contentOf(setting, file).replace(/\r?\n$/, '');
  if (secret === '') throw new Error(`${setting}: the file ${file} is empty`);
  return secret;
}

function contentOf(setting: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`${setting} cannot be read: ${messageOf(error)}`);
  }
}
