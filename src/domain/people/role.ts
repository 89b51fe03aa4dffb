/** Roles of people, from the least to the most: each may do all that the roles before it may do (contract.md 9). */
export const ROLES = ['viewer', 'support', 'finance', 'admin'] as const;

export type Role = (typeof ROLES)[number];

/** Whether a role may do what needs at least another one. */
export function isAtLeast(role: Role, least: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(least);
}
