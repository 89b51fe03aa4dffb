import { Type } from 'typebox';
import { findAccount, lockAccount } from '../../src/db/account/accounts.ts';
import { findLogo, removeLogo, setLogo } from '../../src/db/account/logos.ts';
import { grouped } from '../../src/domain/lines/description.ts';
import { invalid } from '../../src/domain/money/errors.ts';
import { AccountObject } from '../../src/objects/account.ts';
import { exactly } from '../../src/objects/parts.ts';
import { notFoundError } from '../http/errors.ts';
import { readPng, rowsOf } from '../../src/documents/pdf/png-file.ts';
import * as examples from '../reference/examples/account.ts';
import { foundOr404 } from '../routing/found.ts';
import { route } from '../routing/route.ts';
import { Bytes } from '../schema/schemas.ts';

/** Limits of a logo (contract.md 9): its file, and its sides in pixels. */
const BYTES_MAX = 200 * 1024;
const SIDE_MAX = 2000;

/**
 * The bytes of a logo that documents can print. Throws invalid_request `too_large` above BYTES_MAX and
 * SIDE_MAX, `malformed` for anything but a whole PNG in base64.
 */
async function checkedLogo(text: string): Promise<Buffer> {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.toString('base64') !== text)
    throw invalid('png', 'malformed', 'png must be base64, without blanks, line breaks and a data: prefix');
  if (bytes.length > BYTES_MAX)
    throw invalid('png', 'too_large', `png must be a file of at most ${BYTES_MAX / 1024} KB`);
  const png = readPng(bytes);
  if (png !== null && Math.max(png.width, png.height) > SIDE_MAX)
    throw invalid('png', 'too_large', `png must be at most ${grouped(`${SIDE_MAX}`)} pixels wide and high`);
  if (png === null || (await rowsOf(png)) === null)
    throw invalid('png', 'malformed', 'png must be a PNG file that is whole');
  return bytes;
}

const put = route({
  method: 'put',
  path: '/v1/account/logo',
  operation_id: 'setAccountLogo',
  tag: 'Account',
  summary: 'Set the logo on documents',
  description:
    'It stands at the top of invoices that are issued from now on, and of their credit notes. Issued invoices keep the logo of ' +
    'their issue. At most 200 KB, and 2,000 pixels a side.',
  body: exactly({ png: Type.String({ minLength: 1, description: 'The PNG file in base64.' }) }),
  examples: examples.setLogo,
  responses: { 200: AccountObject },
  handle: async ({ db, caller: { environment_id }, body }) => {
    const png = await checkedLogo(body.png);
    await lockAccount(db, environment_id);
    await setLogo(db, environment_id, png);
    return { status: 200, body: await findAccount(db, environment_id) };
  },
});

const read = route({
  method: 'get',
  path: '/v1/account/logo',
  operation_id: 'getAccountLogo',
  tag: 'Account',
  summary: 'Get the logo on documents as a PNG file',
  media_type: 'image/png',
  responses: { 200: Bytes },
  refusals: ['not_found'],
  handle: async ({ db, caller: { environment_id } }) => {
    const { logo_sha256 } = await findAccount(db, environment_id);
    return foundOr404(await findLogo(db, environment_id, logo_sha256));
  },
});

const remove = route({
  method: 'delete',
  path: '/v1/account/logo',
  operation_id: 'deleteAccountLogo',
  tag: 'Account',
  summary: 'Remove the logo from documents that are issued from now on',
  examples: examples.deleteLogo,
  responses: { 200: AccountObject },
  refusals: ['not_found'],
  handle: async ({ db, caller: { environment_id } }) => {
    await lockAccount(db, environment_id);
    if (!(await removeLogo(db, environment_id))) throw notFoundError();
    return { status: 200, body: await findAccount(db, environment_id) };
  },
});

export const accountLogoRoutes = [put, read, remove];
