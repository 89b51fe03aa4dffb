import { findStatement } from '../../src/db/invoicing/statements.ts';
import { pdfInThread } from '../../src/documents/pdf/pdf-thread.ts';
import { printedStatement, savedStatementNameOf } from '../../src/documents/statement-papers.ts';
import { StatementObject } from '../../src/objects/statement.ts';
import { notFoundError } from '../http/errors.ts';
import * as examples from '../reference/examples/collections.ts';
import { route } from '../routing/route.ts';
import { Bytes } from '../schema/schemas.ts';

const TAG = { tag: 'Collections' } as const;

const read = route({
  ...TAG,
  method: 'get',
  path: '/v1/customers/{id}/statement',
  operation_id: 'getStatement',
  summary: 'Get the statement of a customer: its open invoices by due date, and their sums',
  examples: examples.statement,
  responses: { 200: StatementObject },
  handle: async ({ db, caller, params }) => {
    const found = await findStatement(db, caller.environment_id, params['id']!);
    if (found === null) throw notFoundError();
    return { status: 200, body: found.statement };
  },
});

const pdf = route({
  ...TAG,
  method: 'get',
  path: '/v1/customers/{id}/statement.pdf',
  operation_id: 'getStatementPdf',
  summary: 'Get the statement of a customer as a PDF document',
  media_type: 'application/pdf',
  responses: { 200: Bytes },
  handle: async ({ db, caller, params }) => {
    const printed = await printedStatement(db, caller.environment_id, params['id']!);
    if (printed === null) throw notFoundError();
    return {
      status: 200,
      body: await pdfInThread(printed),
      headers: { 'Content-Disposition': `inline; filename="${savedStatementNameOf(printed)}.pdf"` },
    };
  },
});

export const statementRoutes = [read, pdf];
