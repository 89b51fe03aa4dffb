import type { Wording } from './wording.ts';

/** Emails in Spanish. The greeting has no name, because its ending depends on whom it names. */
export const ES: Wording = {
  texts: {
    invoice: {
      subject: 'Factura {number} de {company}',
      body: `Estimado cliente:

Ya está disponible su factura {number} por un importe de {total}.

Importe pendiente: {amount_due}
Fecha de vencimiento: {due_date}

Ver y descargar la factura: {link}

Atentamente,
{company}`,
    },
    credit_note: {
      subject: 'Nota de crédito {number} de {company}',
      body: `Estimado cliente:

Hemos emitido la nota de crédito {number} por un importe de {total}, correspondiente a la factura {invoices}.

Ver y descargar la nota de crédito: {link}

Atentamente,
{company}`,
    },
    receipt: {
      subject: 'Recibo de su pago a {company}',
      body: `Estimado cliente:

Hemos recibido su pago de {total}. Muchas gracias.

Factura: {invoices}
Medio de pago: {method}

Ver sus facturas y pagos: {link}

Atentamente,
{company}`,
    },
    payment_failed: {
      subject: 'No se ha podido cobrar la factura {number} de {company}',
      body: `Estimado cliente:

Lamentamos comunicarle que no hemos podido cobrar {amount_due} por la factura {number}.

Medio de pago: {method}
Fecha de vencimiento: {due_date}

Le rogamos que pague la factura o elija otro medio de pago: {link}

Atentamente,
{company}`,
    },
    reminder: {
      subject: 'Recordatorio de pago de {company}: {number}',
      body: `Estimado cliente:

Le recordamos un pago.

Factura: {number}
Fecha de vencimiento: {due_date}

Actualmente pendiente
{invoices}

Importe total pendiente: {amount_due}

Ver y descargar las facturas: {link}

Si ya ha realizado el pago, no tenga en cuenta este mensaje.

Atentamente,
{company}`,
    },
    statement: {
      subject: 'Estado de cuenta de {company}',
      body: `Estimado cliente:

Esta es la lista de sus facturas pendientes.

{invoices}

Importe pendiente: {amount_due}

Ver sus facturas y pagos: {link}

Atentamente,
{company}`,
    },
  },
  buttons: {
    invoice: 'Ver la factura',
    credit_note: 'Ver la nota de crédito',
    receipt: 'Ver facturas y pagos',
    payment_failed: 'Pagar la factura',
    reminder: 'Ver las facturas',
    statement: 'Ver facturas pendientes',
  },
  replaces: (number) => `Esta factura sustituye a la factura ${number}.`,
};
