import type { Db } from '../db/connection/pool.ts';
import type { ListedEmail } from '../db/emails/email-list.ts';
import type { Config } from '../settings/config.ts';
export async function emailFile(_db: Db, _environment_id: number, email: ListedEmail, _config: Config): Promise<Buffer> {
  return Buffer.from(email.id);
}
