import { deleteInvitations } from '../../src/db/account/sign-in-links.ts';
import {
  findUserByEmail,
  findUserBySubject,
  insertProviderUser,
  lockUsers,
  updateUser,
  type User,
} from '../../src/db/account/users.ts';
import type { Db } from '../../src/db/connection/pool.ts';
import { ROLES, type Role } from '../../src/domain/people/role.ts';
import type { OidcSettings } from '../../src/settings/oidc-settings.ts';
import type { Claims } from './provider.ts';

/** Why a person whom the provider knows is not let in; part of the address `/sign-in?error=`. */
export type Refusal = 'not_invited' | 'email_missing' | 'email_not_verified' | 'no_role' | 'removed';

type Identity = { issuer: string; subject: string };
type Person = Identity & { email: string; name: string; role: Role | null };

const NAME_MAX = 255;

/**
 * The id of the user whom a provider signs in, who then has the provider's email, name and, if a claim decides on it,
 * role; or why the person is not let in (contract.md 9). `environment_id` is one of the account.
 */
export async function userOfClaims(
  db: Db,
  environment_id: number,
  { settings, claims }: { settings: OidcSettings; claims: Claims },
): Promise<{ user_id: string } | { refusal: Refusal }> {
  const { email, email_verified, issuer, subject } = claims;
  if (typeof email !== 'string' || !/^[^@\s]+@[^@\s]+$/.test(email)) return { refusal: 'email_missing' };
  const is_verified = email_verified === true || (settings.trusts_email && email_verified === undefined);
  if (!is_verified) return { refusal: 'email_not_verified' };
  const role = settings.role_claim === null ? null : highestRole(settings, claims.role);
  const person = { issuer, subject, email, name: nameOf(claims, email), role };
  await lockUsers(db, environment_id);
  const known = await findUserBySubject(db, environment_id, person);
  const same_email = await findUserByEmail(db, environment_id, email);
  const user = known ?? (same_email?.has_subject === false ? same_email : null);
  if (user?.status === 'removed' || same_email?.status === 'removed') return { refusal: 'removed' };
  if (same_email !== null && same_email.id !== user?.id) return { refusal: 'not_invited' };
  if (user === null && !isAllowed(settings, email)) return { refusal: 'not_invited' };
  if (settings.role_claim !== null && role === null) return { refusal: 'no_role' };
  return { user_id: await arrived(db, environment_id, user, person) };
}

async function arrived(db: Db, environment_id: number, user: User | null, person: Person): Promise<string> {
  const { role, ...known } = person;
  if (user === null) return insertProviderUser(db, environment_id, { ...known, role });
  await deleteInvitations(db, user.id);
  const of_provider = role === null ? {} : { role, role_from: 'provider' as const };
  await updateUser(db, user.id, { ...known, ...of_provider, status: 'active' });
  return user.id;
}

/** The highest role that a claim names, which is a text or a list; null for none. */
function highestRole({ roles }: OidcSettings, claim: unknown): Role | null {
  const values: readonly unknown[] = Array.isArray(claim) ? claim : [claim];
  const named = values.flatMap((value) => (typeof value === 'string' ? (roles.get(value) ?? []) : []));
  return ROLES.findLast((role) => named.includes(role)) ?? null;
}

function isAllowed({ allowed_domains }: OidcSettings, email: string): boolean {
  return allowed_domains.includes(email.slice(email.lastIndexOf('@') + 1).toLowerCase());
}

function nameOf({ name }: Claims, email: string): string {
  const text = typeof name === 'string' ? name.replaceAll(/\p{Cc}/gu, ' ').trim() : '';
  return (text === '' ? email : text).slice(0, NAME_MAX);
}
