import { hostText, type Host } from '../../settings/database-address.ts';
import { Refusal } from '../../settings/refusal.ts';
import type { Server } from './server.ts';
import type { WrongSetting } from './settings.ts';

/** The major version of Citus that the product is tested with. */
const CITUS_MAJOR = 14;
const CLOCKS_APART_MAX_MS = 1000;

/** A server and how messages name it. */
type Named = Server & { name: string };

/** How messages name a node. */
export function nodeName(node: Host): string {
  return `the node ${hostText(node)}`;
}

/** Settings as `name is value and must be wanted`, those that need a restart said so. */
export function wrongText(wrong: readonly WrongSetting[]): string {
  return wrong
    .map(
      ({ name, value, wanted, needs_restart }) =>
        `${name} is ${value === '' ? 'empty' : value} and must be ${wanted}${needs_restart ? ' (with a restart)' : ''}`,
    )
    .join(', ');
}

export type Compared = { coordinator: Server; node: Server; clocks_apart_ms: number };

/**
 * Refuses two servers that cannot be the coordinator and a node of one cluster. Throws a Refusal with one sentence; of
 * settings it names every wrong one that needs a restart.
 */
export function refuseServers(
  compared: Compared,
  { node, without_tls }: { node: Host; without_tls: boolean },
): void {
  const sides: [Named, Named] = [
    { ...compared.coordinator, name: 'the coordinator' },
    { ...compared.node, name: nodeName(node) },
  ];
  const [coordinator, other] = sides;
  if (coordinator.system_identifier === other.system_identifier)
    throw new Refusal(`${hostText(node)} is the coordinator itself, or a copy of it: name another server`);
  for (const { name, is_superuser } of sides)
    if (!is_superuser) throw new Refusal(`the role of DATABASE_ADMIN_URL is no superuser on ${name}`);
  refuseVersions(sides);
  const wrong = sides.flatMap(({ name, wrong: of_side }) => {
    const needing = of_side.filter(({ needs_restart }) => needs_restart);
    return needing.length === 0 ? [] : [`on ${name} ${wrongText(needing)}`];
  });
  if (wrong.length > 0) throw new Refusal(`settings are wrong: ${wrong.join('; ')}`);
  const open = sides.filter(({ has_tls }) => !has_tls).map(({ name }) => name);
  if (open.length > 0 && !without_tls)
    throw new Refusal(
      `there is no TLS on ${open.join(' and ')}: set ssl to on and citus.node_conninfo to sslmode=require or stricter, or allow connections that others can read with --without-tls`,
    );
  const { clocks_apart_ms } = compared;
  if (clocks_apart_ms > CLOCKS_APART_MAX_MS)
    throw new Refusal(
      `the clocks of the coordinator and ${other.name} are ${Math.round(clocks_apart_ms)} ms apart, and the maximum is ${CLOCKS_APART_MAX_MS} ms`,
    );
}

function refuseVersions(sides: readonly [Named, Named]): void {
  for (const { name, citus } of sides) {
    if (citus === null) throw new Refusal(`Citus is not installed on the machine of ${name}`);
    if (Number.parseInt(citus, 10) !== CITUS_MAJOR)
      throw new Refusal(`${name} has Citus ${citus}, and Tidemark needs Citus ${CITUS_MAJOR}`);
  }
  const [coordinator, node] = sides;
  if (coordinator.citus !== node.citus)
    throw new Refusal(
      `the coordinator has Citus ${coordinator.citus} and ${node.name} has ${node.citus}: both must have the same version`,
    );
  if (coordinator.version !== node.version)
    throw new Refusal(
      `the coordinator has PostgreSQL ${coordinator.version} and ${node.name} has ${node.version}: both must have the same major version`,
    );
}
