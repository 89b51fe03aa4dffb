import { chargeByHand } from '../../../src/collection/charge.ts';
import { closePages, readPage } from '../../../src/collection/close-pages.ts';
import type { OpenedProvider } from '../../../src/collection/opened.ts';
import { pageOf } from '../../../src/collection/payment-pages.ts';
import { findOpenPage } from '../../../src/db/collection/payment-pages.ts';
import type { Pool } from '../../../src/db/connection/pool.ts';
import type { Invoice } from '../../../src/objects/invoice.ts';
import * as given from './billing.ts';
import type { useCharges } from './charges.ts';

type Ledger = ReturnType<typeof useCharges>;
type Of = Pick<Invoice, 'id'>;

/** A page as its row has it. */
export type PageRow = {
  id: string;
  invoice_id: string;
  status: string;
  amount: string;
  url: string | null;
  payment_id: string | null;
};

/** Pages of the invoices of a ledger. Nothing is read by itself. */
export function pagesOn(charges: Ledger) {
  const opened = async (): Promise<OpenedProvider> =>
    (await charges.charger().providerOf({ environment_id: given.LIVE, provider_id: 'pp_acme' }))!;
  const keyOf = ({ id: invoice_id }: Of) => ({ environment_id: given.LIVE, invoice_id });
  const ask = async (
    invoice: Of,
    { saves_method = false, pool = charges.pool(), of = null }: Asking = {},
  ): Promise<string> =>
    pageOf({ pool }, of ?? (await opened()), {
      ...keyOf(invoice),
      saves_method,
      returnUrlOf: (id) => `http://localhost/portal?payment_session_id=${id}`,
      act: {},
      by: 'key_1',
    });
  const rows = async (): Promise<PageRow[]> =>
    (
      await charges.pool().query<PageRow>(
        `select id, invoice_id, status, amount::text as amount, url, payment_id from payment_pages
         where invoice_id is not null order by id`,
      )
    ).rows;
  return {
    opened,
    /** Asks for the page of an invoice; its id. */
    ask,
    rows,
    /** The address of the open page of an invoice. */
    urlOf: async (invoice: Of): Promise<string> =>
      (await rows()).find((row) => row.invoice_id === invoice.id && row.status === 'open')!.url!,
    /** Reads the open page of an invoice, as the loop does. */
    read: async (invoice: Of): Promise<void> => {
      const page = await findOpenPage(charges.pool(), keyOf(invoice));
      if (page !== null) await readPage(charges.pool(), await opened(), page);
    },
    close: (invoice: Of) => closePages(charges.charger(), keyOf(invoice)),
    /** A charge as the API begins one. */
    charge: async (invoice: Of): Promise<void> => {
      const request = { invoice_id: invoice.id, payment_method_id: null, by: 'key_1', request_key: null };
      await chargeByHand({ ...charges.charger(), act: {} }, given.LIVE, request);
      await charges.collect(invoice);
    },
    /** Payments by pages, the oldest first. */
    payments: async (): Promise<{ invoice_id: string | null; amount: string; to_balance: string }[]> =>
      (
        await charges.pool().query(
          `select invoice_id, amount::text as amount, to_balance::text as to_balance from payments
           where created_by like 'pys%' order by id`,
        )
      ).rows,
  };
}

/** `pool` and `of` are those of a process that is disturbed. */
type Asking = { saves_method?: boolean; pool?: Pool; of?: OpenedProvider | null };
