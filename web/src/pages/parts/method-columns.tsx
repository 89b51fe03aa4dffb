import type { PaymentMethod } from '../../api/objects.ts';
import { Badge } from '../../components/badge.tsx';
import type { Column } from '../../components/table.tsx';

/** Columns of a payment method, as its payer and its seller see it. */
export const METHOD_COLUMNS: readonly Column<PaymentMethod>[] = [
  { title: 'Method', show: ({ label }) => label },
  { title: 'Expires', show: ({ expires }) => expires },
  {
    title: 'State',
    show: ({ status, is_default }) => (
      <>
        <Badge status={status} /> {is_default && 'default'}
      </>
    ),
  },
];
