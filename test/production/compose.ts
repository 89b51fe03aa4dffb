import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

export type Service = {
  image?: string;
  build?: string;
  restart?: string;
  command?: string[] | string;
  /** Null: as it is in the environment of Docker Compose, or not at all. */
  environment?: Record<string, string | null>;
  ports?: string[];
  networks?: string[];
  volumes?: string[];
  mem_limit?: string;
  stop_grace_period?: string;
  healthcheck?: { test: string[] };
  logging?: { driver: string };
  profiles?: string[];
  depends_on?: Record<string, { condition: string }>;
};

type Compose = {
  name: string;
  services: Record<string, Service>;
  volumes: Record<string, null>;
  networks: Record<string, { ipam?: { config: { subnet: string }[] } }>;
};

/** docker-compose.yml as it is written, with its merges. */
export const COMPOSE = composeOf('docker-compose.yml');

/** Services of docker-compose.cluster.yml, which Docker Compose puts over those of docker-compose.yml: of `postgres` a part. */
export const CLUSTER: Pick<Compose, 'services' | 'volumes'> = composeOf('docker-compose.cluster.yml');

function composeOf(file: string): Compose {
  return parse(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8'), { merge: true });
}

/** The settings of a command of PostgreSQL, by name: `postgres -c name=value ...`. */
export function flagsOf(command: Service['command']): Record<string, string> {
  if (typeof command !== 'string') throw new Error('the command must be one line');
  const [program, ...words] = command.trim().split(/\s+-c\s+/);
  if (program !== 'postgres') throw new Error(`the program is ${program}`);
  return Object.fromEntries(words.map((word) => [word.split('=', 1)[0]!, word.slice(word.indexOf('=') + 1)]));
}

/** Replaces ${NAME}, ${NAME:-default} and ${NAME:?message} as Docker Compose does. Throws if a needed value is missing. */
export function interpolate(text: string, settings: Readonly<Record<string, string>>): string {
  return text.replace(
    /\$\$|\$\{(\w+)(?::([-?])([^}]*))?\}/g,
    (whole, name: string | undefined, operator: string | undefined, rest: string = '') => {
      if (name === undefined) return '$';
      const value = settings[name] ?? '';
      if (value !== '') return value;
      if (operator === '?') throw new Error(`${name} is missing: ${rest}`);
      return operator === '-' ? rest : whole;
    },
  );
}

/** The environment of a service of Tidemark, with its values. */
export function environmentOf(
  name: string,
  settings: Readonly<Record<string, string>>,
): Record<string, string> {
  const given = Object.entries(COMPOSE.services[name]!.environment ?? {});
  return Object.fromEntries(
    given.flatMap(([key, value]) => {
      if (value !== null) return [[key, interpolate(value, settings)]];
      return settings[key] === undefined ? [] : [[key, settings[key]]];
    }),
  );
}
