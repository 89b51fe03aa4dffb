import type { Db } from '../db/connection/pool.ts';

export type Attachment = {
  filename: string;
  content_type: string;
  content: Buffer | null;
  error: string | null;
};

export async function attachmentsOf(
  _db: Db,
  _environment_id: number,
  { object_id, formats }: { kind: string; object_id: string; formats: readonly string[] },
): Promise<Attachment[]> {
  return formats.map((format) => ({
    filename: `${object_id}.${format}`,
    content_type: `application/${format}`,
    content: Buffer.from(format),
    error: null,
  }));
}
