/**
 * The parts of a database URL such as
 * `postgres://role:password@host1:5432,host2/database?target_session_attrs=read-write`.
 */
export type DatabaseAddress = {
  /** One URL for each host, in their order. */
  urls: readonly string[];
  /**
   * Whether a server that takes no writes, such as a standby, is passed over: with several hosts, or by
   * target_session_attrs.
   */
  must_be_writable: boolean;
  role: string;
  /** Password; empty if the URL has none. */
  password: string;
  database: string;
};

const WRITABLE = ['read-write', 'primary'];

/**
 * Parses a database URL. pg takes one host only, and a wrong URL makes it connect elsewhere or print the password.
 * Throws an Error, one sentence that follows the name of the setting; it does not repeat the URL.
 */
export function parseDatabaseUrl(url: string): DatabaseAddress {
  const { scheme, credentials, hosts, rest } = split(url);
  const urls = hosts.map((host) => `${scheme}${credentials}${host}${rest}`);
  const [first] = urls.map(parsed);
  const { username, password, pathname, searchParams } = first!;
  const [role, secret, database] = [username, password, pathname.slice(1)].map(decoded);
  const attributes = searchParams.get('target_session_attrs');
  if (attributes !== null && attributes !== 'any' && !WRITABLE.includes(attributes))
    throw new Error('must have target_session_attrs=read-write or none: Tidemark writes');
  if (searchParams.get('host')?.includes(',') === true)
    throw new Error('must name several hosts before the database: postgres://role@host1,host2/database');
  const must_be_writable = urls.length > 1 || (attributes !== null && WRITABLE.includes(attributes));
  return { urls, must_be_writable, role: role!, password: secret!, database: database! };
}

/**
 * Adds a password to a database URL that has none. Throws an Error, a sentence as parseDatabaseUrl, if the URL has
 * another one.
 */
export function withPassword(url: string, password: string): string {
  const { scheme, credentials, hosts, rest } = split(url);
  const address = parseDatabaseUrl(url);
  if (address.role === '') throw new Error('must name the role: postgres://role@host/database');
  if (address.password !== '') {
    if (address.password === password) return url;
    throw new Error('has a password, and another one is set beside it; remove one of them');
  }
  const role = credentials.replace(/:?@$/, '');
  return `${scheme}${role}:${encodeURIComponent(password)}@${hosts.join(',')}${rest}`;
}

/** The URL of another database on the same servers. */
export function withDatabase(url: string, database: string): string {
  const { scheme, credentials, hosts, rest } = split(url);
  const options = /[?#].*$/s.exec(rest)?.[0] ?? '';
  return `${scheme}${credentials}${hosts.join(',')}/${encodeURIComponent(database)}${options}`;
}

/** A server: its name or its IPv4 address, and its port. */
export type Host = { host: string; port: number };

const DEFAULT_PORT = 5432;

/** The URL of the same role and database on another server. */
export function atHost(url: string, host: Host): string {
  const { scheme, credentials, rest } = split(url);
  return `${scheme}${credentials}${hostText(host)}${rest}`;
}

/** `host:port`. */
export function hostText({ host, port }: Host): string {
  return `${host}:${port}`;
}

/** The first host of a database URL; null if the URL names none, as with a socket, or an IPv6 address. */
export function firstHost(url: string): Host | null {
  const [first = ''] = split(url).hosts;
  return HOST.test(first) ? parseHost(first) : null;
}

const HOST = /^([\w.-]+)(?::(\d{1,5}))?$/;

/** Parses HOST[:PORT], by default port 5432. Throws an Error, a sentence as parseDatabaseUrl. */
export function parseHost(text: string): Host {
  const [, host, port] = HOST.exec(text) ?? [];
  const number = port === undefined ? DEFAULT_PORT : Number(port);
  if (host === undefined || number < 1 || number > 65_535)
    throw new Error('must be HOST or HOST:PORT, such as node-1.internal:5432');
  return { host, port: number };
}

const ENCODE =
  'percent-encode / ? # @ % : in the password (%23 for #, %2F for /), or set the password beside the URL';

type Parts = { scheme: string; credentials: string; hosts: string[]; rest: string };

/** `credentials` ends with `@` or is empty. */
function split(url: string): Parts {
  const [, scheme, authority, rest] = /^(postgres(?:ql)?:\/\/)([^/?#]*)(.*)$/s.exec(url) ?? [];
  if (scheme === undefined) throw new Error('must begin with postgres://');
  // A password with a slash, a question mark or a hash ends the authority before its @.
  if (rest!.includes('@')) throw new Error(`cannot be read: ${ENCODE}`);
  const end = authority!.lastIndexOf('@') + 1;
  return {
    scheme,
    credentials: authority!.slice(0, end),
    hosts: authority!.slice(end).split(','),
    rest: rest!,
  };
}

function parsed(url: string): URL {
  try {
    // With a socket's folder in the parameters no host stands after the role, which the URL standard does not allow.
    return new URL(url.replace(/@(?=[/?])/, '@localhost'));
  } catch {
    throw new Error(`cannot be read: check the host and its port, and ${ENCODE}`);
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error(`has a % that is not followed by two hexadecimal digits: ${ENCODE}`);
  }
}
