import { join } from 'node:path';
import { findPythonPackage } from '../support/servers/python.ts';

/** Path of Schemathesis. */
export async function findSchemathesis(): Promise<string> {
  return join(await findPythonPackage('schemathesis', '4.32.5'), 'schemathesis');
}
