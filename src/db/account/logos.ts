import type { Db } from '../connection/pool.ts';

/**
 * Makes a PNG the logo of an environment from now on. A logo that no issued invoice has is forgotten with the next one.
 * The caller has locked the account, for which issues wait.
 */
export async function setLogo(db: Db, environment_id: number, png: Buffer): Promise<void> {
  await db.query(
    `insert into logos (environment_id, sha256, png, set_after_number)
     select id, encode(sha256($2), 'hex'), $2, last_invoice_number from environments where id = $1
     on conflict (environment_id, sha256) do nothing`,
    [environment_id, png],
  );
  await db.query(`update environments set logo_sha256 = encode(sha256($2), 'hex') where id = $1`, [
    environment_id,
    png,
  ]);
  await forgetUnused(db, environment_id);
}

/** Leaves an environment without a logo; false if it had none. The caller has locked the account. */
export async function removeLogo(db: Db, environment_id: number): Promise<boolean> {
  const { rowCount } = await db.query(
    'update environments set logo_sha256 = null where id = $1 and logo_sha256 is not null',
    [environment_id],
  );
  await forgetUnused(db, environment_id);
  return rowCount === 1;
}

async function forgetUnused(db: Db, environment_id: number): Promise<void> {
  await db.query(
    `delete from logos l using environments n
     where n.id = $1 and l.environment_id = n.id and l.sha256 is distinct from n.logo_sha256
       and l.set_after_number = n.last_invoice_number`,
    [environment_id],
  );
}

/** A logo of an environment; null without one, and for one that was forgotten after a draft was read. */
export async function findLogo(
  db: Db,
  environment_id: number,
  sha256: string | null,
): Promise<Buffer | null> {
  if (sha256 === null) return null;
  const { rows } = await db.query<{ png: Buffer }>(
    'select png from logos where environment_id = $1 and sha256 = $2',
    [environment_id, sha256],
  );
  return rows[0]?.png ?? null;
}
